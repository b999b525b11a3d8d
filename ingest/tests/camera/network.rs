//! Pictures over HTTP, and ends that are no cameras.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ingest::camera::{self, Mode, News, Setup};
use opencv::core::{Mat, Scalar, Vector};
use opencv::imgcodecs;
use opencv::prelude::VectorToVec;
use table::tape::PictureFormat;

use crate::ends::{PATIENCE, source, wait_for};

fn jpeg(grey: f64) -> Vec<u8> {
    let mat = Mat::new_rows_cols_with_default(48, 64, opencv::core::CV_8UC3, Scalar::all(grey)).unwrap();
    let mut packed = Vector::new();
    assert!(imgcodecs::imencode_def(".jpg", &mat, &mut packed).unwrap());
    packed.to_vec()
}

/// Sends so many pictures to one who calls, and hangs up.
fn send(mut caller: TcpStream, pictures: usize) -> std::io::Result<()> {
    let mut asked = [0; 1024];
    let _ = caller.read(&mut asked)?;
    caller.write_all(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")?;
    for number in 0..pictures {
        let picture = jpeg(10.0 * (number % 20) as f64);
        write!(caller, "--next\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", picture.len())?;
        caller.write_all(&picture)?;
        caller.write_all(b"\r\n")?;
    }
    Ok(())
}

/// A camera that serves so many callers, one after another.
fn serve(callers: usize, pictures: usize) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        for caller in listener.incoming().take(callers) {
            // The other end may have enough before all is sent.
            let _ = send(caller.unwrap(), pictures);
        }
    });
    (port, thread)
}

#[test]
fn pictures_over_http_play_are_kept_and_are_called_for_again() {
    let (port, server) = serve(2, 40);
    let setup = Setup { pictures: true, watched: false, ..Mode::Live.into() };
    let camera = camera::open(&source(&format!("http://127.0.0.1:{port}/video")), setup);
    let picture = camera.picture(PATIENCE).unwrap();
    assert_eq!((picture.format, picture.data), (PictureFormat::Jpeg, jpeg(0.0)));
    wait_for(&camera, |news| matches!(news, News::Lost(_)));
    wait_for(&camera, |news| matches!(news, News::Gap(_)));
    wait_for(&camera, |news| matches!(news, News::Lost(_)));
    assert_eq!(camera.counts().frames, 80, "each picture of both calls");
    server.join().unwrap();
    camera.stop();
}

#[test]
fn an_end_that_never_answers_does_not_hold_up_the_stop() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for scheme in ["rtsp", "http"] {
        let camera = camera::open(&source(&format!("{scheme}://127.0.0.1:{port}/table")), Mode::Live);
        let (mut caller, _) = listener.accept().unwrap();
        let mut asked = [0; 16];
        let _ = caller.read(&mut asked).unwrap();
        let begun = Instant::now();
        camera.stop();
        assert!(begun.elapsed() < Duration::from_secs(2), "{scheme} held for {:?}", begun.elapsed());
    }
}

#[test]
fn an_end_that_never_answers_is_lost_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let setup = Setup { opening: Duration::from_millis(300), ..Mode::Live.into() };
    let camera = camera::open(&source(&format!("rtsp://127.0.0.1:{port}/table")), setup);
    let words = wait_for(&camera, |news| matches!(news, News::Lost(_)));
    assert_eq!(words, ["connecting", "lost: no picture for 0.3 s"]);
}

#[test]
fn a_port_where_nobody_listens_and_a_wrong_password_are_told_apart() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let camera = camera::open(&source(&format!("rtsp://127.0.0.1:{port}/table")), Mode::Live);
    let words = wait_for(&camera, |news| matches!(news, News::Lost(_)));
    let refused = "lost: cannot be opened: Connection refused; the machine is there, but nothing listens on that port";
    assert_eq!(words.last().map(String::as_str), Some(refused));

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut caller, _) = listener.accept().unwrap();
        let mut asked = [0; 1024];
        while let Ok(1..) = caller.read(&mut asked) {
            let text = String::from_utf8_lossy(&asked);
            let number = text.lines().find_map(|line| line.strip_prefix("CSeq: ")).unwrap_or("1").to_owned();
            let answer = format!("RTSP/1.0 401 Unauthorized\r\nCSeq: {number}\r\n\r\n");
            if caller.write_all(answer.as_bytes()).is_err_and(|wrong| wrong.kind() != ErrorKind::Interrupted) {
                return;
            }
        }
    });
    let camera = camera::open(&source(&format!("rtsp://eye:wrong@127.0.0.1:{port}/table")), Mode::Live);
    let words = wait_for(&camera, |news| matches!(news, News::Lost(_)));
    let said = words.last().unwrap();
    assert!(said.ends_with("check user and password in the address"), "{said}");
    assert!(!said.contains("wrong@"), "{said}");
    camera.stop();
    server.join().unwrap();
}
