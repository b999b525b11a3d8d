//! Pictures that come off a tape again.

use ingest::camera::Unpacker;
use simulator::video::camera::Size;
use simulator::video::encode::{Encoder, Packing};
use simulator::video::frame::Frame;
use simulator::video::stills::{Order, jpeg, still};
use table::Utc;
use table::tape::{Picture, PictureFormat};

fn at(number: i64) -> Utc {
    Utc::from_micros(1_700_000_000_000_000 + 40_000 * number).unwrap()
}

fn drawn() -> Frame {
    still(&Order { size: Size::new(320, 240), ..Order::new(1, 2) }, 0).0
}

#[test]
fn every_frame_of_a_recorded_video_comes_back_with_its_time() {
    let mut encoder = Encoder::start(Size::new(320, 240), &Packing::at(40_000)).unwrap();
    let frame = drawn();
    let mut packed: Vec<Picture> = (0..20).flat_map(|number| encoder.push(&frame, at(number)).unwrap()).collect();
    packed.extend(encoder.finish().unwrap());
    let mut unpacker = Unpacker::new();
    let mut frames: Vec<_> = packed.iter().flat_map(|picture| unpacker.push(picture).unwrap()).collect();
    frames.extend(unpacker.finish());
    let times: Vec<Utc> = frames.iter().map(|frame| frame.at).collect();
    assert_eq!(times, (0..20).map(at).collect::<Vec<_>>());
    assert!(frames.iter().all(|frame| (frame.image.width(), frame.image.height()) == (320, 240)));
}

#[test]
fn a_damaged_picture_is_counted_and_the_next_one_seen() {
    let whole = jpeg(&drawn(), 90).unwrap();
    let picture = |data: &[u8], number| Picture { at: at(number), format: PictureFormat::Jpeg, data: data.to_vec() };
    let mut unpacker = Unpacker::new();
    assert!(unpacker.push(&picture(b"torn", 0)).unwrap().is_empty());
    assert_eq!(unpacker.push(&picture(&whole, 1)).unwrap().len(), 1);
    assert_eq!(unpacker.broken(), 1);
    let noise = Picture { at: at(2), format: PictureFormat::H264, data: vec![7; 400] };
    assert!(unpacker.push(&noise).unwrap().is_empty());
}
