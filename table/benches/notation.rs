//! How fast rounds are read and printed: the speed of every text fixture and of the dispute calculator.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use table::Layout;
use table::notation::{parse, print};

const ROUNDS: &str = include_str!("../../fixtures/evening/evening.round");

fn notation(c: &mut Criterion) {
    let rounds = parse(ROUNDS).unwrap_or_default();
    let mut group = c.benchmark_group("notation");
    group.throughput(Throughput::Elements(rounds.len() as u64));
    group.bench_function("parse", |b| b.iter(|| parse(black_box(ROUNDS))));
    group.bench_function("print", |b| b.iter(|| print(black_box(&rounds))));
    group.bench_function("layout", |b| b.iter(|| rounds.iter().map(Layout::after).count()));
    group.finish();
}

criterion_group!(benches, notation);
criterion_main!(benches);
