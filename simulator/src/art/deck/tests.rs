//! What holds for every deck, drawn as cameras see it.

use auditor::model::random::Dice;
use table::Colour;

use super::*;

/// The colour at a point in millimetres, or nothing where the card is not.
fn at(design: &Design, picture: &Pixmap, (x, y): (f32, f32)) -> Option<Rgb> {
    let scale = picture.width() as f32 / design.size.0;
    let pixel = picture.pixel((x * scale) as u32, (y * scale) as u32).unwrap();
    (pixel.alpha() > 0).then(|| [pixel.red(), pixel.green(), pixel.blue()])
}

fn every_design() -> Vec<Design> {
    let mut dice = Dice::new(7);
    let invented = std::iter::repeat_with(|| Design::invented(&mut dice)).take(2);
    Design::ALL.iter().copied().chain(invented).collect()
}

/// Whether two pictures differ by more than a speck: the two of spades and that of clubs are only just so.
fn differ(one: &Pixmap, other: &Pixmap) -> bool {
    let pairs = one.data().chunks(4).zip(other.data().chunks(4));
    pairs.filter(|(a, b)| (0..3).any(|i| a[i].abs_diff(b[i]) > 64)).nth(9).is_some()
}

#[test]
fn every_deck_has_fifty_two_faces_and_a_back_that_is_none_of_them() {
    for design in every_design() {
        let faces: Vec<_> = Card::faces().map(|card| (card, design.face(card, 60).unwrap())).collect();
        let back = design.back(60).unwrap();
        for (number, (card, face)) in faces.iter().enumerate() {
            assert!(differ(face, &back), "{card} of {}", design.name);
            for (other, second) in &faces[number + 1..] {
                assert!(differ(face, second), "{card} and {other} of {} are alike", design.name);
            }
        }
    }
}

#[test]
fn red_suits_are_red_and_black_ones_are_not_unless_the_deck_has_four_colours() {
    for design in Design::ALL {
        for card in Card::faces().filter(|card| card.rank().is_some_and(|rank| rank as u8 <= 10)) {
            let suit = card.suit().unwrap();
            let picture = design.face(card, 120).unwrap();
            let is_red = |pixel: &[u8]| pixel[0] > 140 && pixel[1] < 90 && pixel[2] < 90;
            let reds = picture.data().chunks(4).filter(|pixel| is_red(pixel)).count();
            let printed_red = suit.colour() == Colour::Red && (design.name, suit) != ("four-colour", Suit::Diamonds);
            assert_eq!(reds > 40, printed_red, "{card} of {}: {reds} red pixels", design.name);
        }
    }
}

#[test]
fn a_deck_of_four_colours_has_four() {
    let deck = Design::ALL.iter().find(|design| design.name == "four-colour").unwrap();
    for (number, ink) in deck.inks.iter().enumerate() {
        assert!(!deck.inks[number + 1..].contains(ink));
    }
}

#[test]
fn the_index_reads_the_same_when_the_card_is_turned() {
    for design in every_design() {
        let scale = 120.0 / design.size.0;
        let (across, down) = (design.index.inset * 1.8 * scale, (design.index.height * 2.2) * scale);
        for card in Card::faces().filter(|card| matches!(card.suit(), Some(Suit::Clubs | Suit::Hearts))) {
            let picture = design.face(card, 120).unwrap();
            let (width, height) = (picture.width(), picture.height());
            let mut inked = 0;
            for (x, y) in (0..down as u32).flat_map(|y| (0..across as u32).map(move |x| (x, y))) {
                let here = picture.pixel(x, y).unwrap();
                let there = picture.pixel(width - 1 - x, height - 1 - y).unwrap();
                let off = here.green().abs_diff(there.green());
                // The two are painted apart, so an edge may fall on the other side of a sample.
                assert!(off <= 96, "{card} of {} at {x},{y}: off by {off}", design.name);
                inked += u32::from(here.green() < 128 && here.alpha() == 255);
            }
            assert!(inked > 30, "{card} of {} shows no index", design.name);
        }
    }
}

#[test]
fn corners_are_cut_round_and_the_middle_is_there() {
    for design in every_design() {
        let (width, height) = design.size_mm();
        let pictures = [design.face("7H".parse().unwrap(), 400), design.back(400)];
        for picture in pictures.into_iter().flatten() {
            for corner in [(0.1, 0.1), (width - 0.1, 0.1), (0.1, height - 0.2), (width - 0.1, height - 0.2)] {
                assert_eq!(at(&design, &picture, corner), None, "{} at {corner:?}", design.name);
            }
            assert!(at(&design, &picture, (width / 2.0, height / 2.0)).is_some());
            assert!(at(&design, &picture, (width / 2.0, 0.3)).is_some());
        }
    }
}

#[test]
fn any_size_is_drawn_or_refused() {
    let cards: [Card; 3] = ["AS", "KD", "TC"].map(|card| card.parse().unwrap());
    for design in Design::ALL {
        let largest = if design.name == "casino" { 800 } else { 256 };
        for width in [1, 2, 5, 20, 21, 33, 137, largest] {
            for card in cards {
                assert_eq!(design.face(card, width).unwrap().width(), width);
            }
            assert_eq!(design.back(width).unwrap().width(), width);
        }
        for width in [0, super::super::WIDEST + 1, u32::MAX] {
            assert!(design.face(cards[0], width).is_none());
            assert!(design.back(width).is_none());
        }
    }
}

#[test]
fn nothing_is_printed_over_the_edge() {
    for design in every_design() {
        let edge = design.border.map_or(design.stock, |(colour, _)| colour);
        for card in Card::faces().filter(|card| card.suit() == Some(Suit::Hearts)) {
            let picture = design.face(card, 126).unwrap();
            for y in 10..picture.height() - 10 {
                let pixel = picture.pixel(0, y).unwrap();
                assert_eq!([pixel.red(), pixel.green(), pixel.blue()], edge, "{card} of {}", design.name);
            }
        }
    }
}

#[test]
fn a_card_without_a_face_is_not_drawn() {
    for card in [Card::UNREAD, Card::HIDDEN] {
        assert!(Design::ALL.iter().all(|design| design.face(card, 60).is_none()));
    }
}

#[test]
fn a_number_card_has_as_many_pips_as_it_says() {
    let deck = Design { index: Index { height: 0.0, pip: 0.0, ..designs::STANDARD.index }, ..designs::STANDARD };
    for card in Card::faces() {
        let points = card.rank().unwrap() as usize;
        if points <= 10 {
            let picture = deck.face(card, 120).unwrap();
            let inked = picture.data().chunks(4).map(|pixel| pixel[1] < 128 && pixel[3] == 255).collect();
            assert_eq!(islands(inked, 120), points, "{card}");
        }
    }
}

/// Counts connected patches of ink.
fn islands(mut inked: Vec<bool>, width: usize) -> usize {
    let mut count = 0;
    while let Some(start) = inked.iter().position(|&ink| ink) {
        count += 1;
        let mut shore = vec![start];
        while let Some(here) = shore.pop() {
            if inked.get(here).copied().unwrap_or(false) {
                inked[here] = false;
                shore.extend([here + 1, here + width]);
                shore.extend([here.checked_sub(1), here.checked_sub(width)].into_iter().flatten());
            }
        }
    }
    count
}

#[test]
fn the_same_dice_invent_the_same_deck() {
    let deck = |seed| Design::invented(&mut Dice::new(seed));
    assert_eq!(deck(3), deck(3));
    assert_ne!(deck(3), deck(4));
}

#[test]
fn backs_and_courts_look_the_same_either_way_up() {
    let courts = ["JC", "QD", "KS"].map(|card| card.parse::<Card>().unwrap());
    for design in every_design() {
        for picture in courts.map(|card| design.face(card, 126)).into_iter().chain([design.back(126)]).flatten() {
            let upright: Vec<&[u8]> = picture.data().chunks(4).collect();
            let pairs = upright.iter().zip(upright.iter().rev());
            let differ = pairs.filter(|(a, b)| a[1].abs_diff(b[1]) > 64).count();
            assert!(differ < upright.len() / 100, "{}: {differ} of {} pixels", design.name, upright.len());
        }
    }
}
