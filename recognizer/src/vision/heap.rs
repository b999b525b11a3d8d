//! The votes for middles, heaped up in bins: where they are highest may lie a card.

use super::quad::Pixel;
use super::votes::{STRIDE, Vote};

/// Votes heaped up over the picture, a bin for each cell.
pub(super) struct Heap {
    pub(super) width: usize,
    height: usize,
    high: Vec<f32>,
    /// The votes of each bin, by number: where each bin begins in the list.
    begins: Vec<u32>,
    list: Vec<u32>,
}

impl Heap {
    pub(super) fn pile(votes: &[Vote], width: usize, height: usize) -> Self {
        let mut heap = Self { width, height, high: vec![0.0; width * height], begins: Vec::new(), list: Vec::new() };
        let bins: Vec<Option<usize>> = votes.iter().map(|vote| heap.bin(vote.at)).collect();
        let mut counts = vec![0_u32; width * height + 1];
        for (vote, bin) in votes.iter().zip(&bins) {
            if let Some(bin) = *bin {
                heap.high[bin] += vote.weight;
                counts[bin + 1] += 1;
            }
        }
        for at in 1..counts.len() {
            counts[at] += counts[at - 1];
        }
        let mut next = counts.clone();
        heap.list = vec![0; counts.last().copied().unwrap_or(0) as usize];
        for (number, bin) in bins.iter().enumerate() {
            if let Some(bin) = *bin {
                heap.list[next[bin] as usize] = number as u32;
                next[bin] += 1;
            }
        }
        heap.begins = counts;
        // Twice over neighbours: votes for one middle scatter by some pixels.
        heap.smooth();
        heap.smooth();
        heap
    }

    fn bin(&self, [x, y]: Pixel) -> Option<usize> {
        let along = |at: f32, most: usize| {
            let bin = (at / STRIDE as f32).floor();
            (bin >= 0.0 && bin < most as f32).then_some(bin as usize)
        };
        Some(along(y, self.height)? * self.width + along(x, self.width)?)
    }

    fn smooth(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut across = vec![0.0; width * height];
        for (from, to) in self.high.chunks_exact(width).zip(across.chunks_exact_mut(width)) {
            for x in 0..width {
                let next = from.get(x + 1).copied().unwrap_or(0.0);
                let before = if x > 0 { from[x - 1] } else { 0.0 };
                to[x] = 0.5 * from[x] + 0.25 * (before + next);
            }
        }
        for y in 0..height {
            for x in 0..width {
                let row = |y: usize| across[y * width + x];
                let before = if y > 0 { row(y - 1) } else { 0.0 };
                let next = if y + 1 < height { row(y + 1) } else { 0.0 };
                self.high[y * width + x] = 0.5 * row(y) + 0.25 * (before + next);
            }
        }
    }

    /// Bins higher than those around them, the highest first.
    pub(super) fn tops(&self) -> Vec<usize> {
        let mut tops = Vec::new();
        for (bin, &high) in self.high.iter().enumerate() {
            // The weight of few cells that agree, or of many that scatter.
            if high < 0.6 {
                continue;
            }
            let (x, y) = (bin % self.width, bin / self.width);
            let around = (y.saturating_sub(1)..(y + 2).min(self.height)).flat_map(|row| {
                (x.saturating_sub(1)..(x + 2).min(self.width)).map(move |column| row * self.width + column)
            });
            // Of equals the first is the top.
            let lower = |other: usize| self.high[other] < high || (self.high[other] <= high && other >= bin);
            if around.into_iter().all(lower) {
                tops.push(bin);
            }
        }
        tops.sort_by(|a, b| self.high[*b].total_cmp(&self.high[*a]).then(a.cmp(b)));
        tops
    }

    /// The votes within so many pixels of a place.
    pub(super) fn near(&self, [x, y]: Pixel, reach: f32) -> impl Iterator<Item = usize> + '_ {
        let bins = |at: f32, most: usize| {
            let low = ((at - reach) / STRIDE as f32).floor().max(0.0) as usize;
            let high = (((at + reach) / STRIDE as f32).floor().max(0.0) as usize + 1).min(most);
            low.min(high)..high
        };
        let columns = bins(x, self.width);
        bins(y, self.height).flat_map(move |row| {
            let at = |column: usize| self.begins[row * self.width + column] as usize;
            if columns.is_empty() { &[] } else { &self.list[at(columns.start)..at(columns.end)] }
                .iter()
                .map(|n| *n as usize)
        })
    }
}
