//! Random values, the same at each run.

use super::ext::{
    ComplexRtt as Rtt, Leaf, PropertyLeaf, PropertyPropertyLeaf, PropertyPropertyPropertyLeaf, Row,
    Rtts, SumTypeIntStringLong as Sum, Table, Tree,
};

/// xorshift64*
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    /// Returns a number of any magnitude up to 2^42, as in the specification's test data.
    fn int(&mut self) -> i64 {
        let shift = 22 + self.below(40) as u32;
        (self.next() as i64) >> shift
    }

    fn string(&mut self, longest: u64) -> String {
        let length = self.below(longest);
        (0..length).map(|_| (b'a' + self.below(26) as u8) as char).collect()
    }

    fn list<T>(&mut self, longest: u64, mut item: impl FnMut(&mut Random) -> T) -> Vec<T> {
        let length = self.below(longest);
        (0..length).map(|_| item(self)).collect()
    }

    fn sum(&mut self) -> Sum {
        match self.below(4) {
            0 => Sum::A(self.int()),
            1 => Sum::B(self.string(10)),
            2 => Sum::C(self.int()),
            _ => Sum::D,
        }
    }

    fn rtt(&mut self) -> Rtt {
        if self.below(2) == 0 {
            let pair = |r: &mut Random| (r.int(), r.list(6, |r| r.below(2) == 1));
            Rtt::A { a1: self.list(10, pair), a2: self.list(10, Random::sum) }
        } else {
            Rtt::B { b1: self.below(2) == 1, b2: (self.string(12), self.list(12, Random::int)) }
        }
    }

    pub fn rtts(&mut self, n: usize) -> Rtts {
        Rtts { items: (0..n).map(|_| self.rtt()).collect() }
    }

    pub fn table(&mut self, n: usize) -> Table {
        let row = |id| Row {
            id: id as i64,
            name: self.string(20),
            email: self.string(30),
            age: self.below(100) as i64,
            score: self.below(100_000) as f64 / 64.0,
            active: self.below(2) == 1,
        };
        Table { rows: (0..n).map(row).collect(), total: n as i64 }
    }

    pub fn tree(&mut self) -> Tree {
        macro_rules! property {
            ($r:expr, $name:ident, $least:expr, $child:expr) => {{
                let r: &mut Random = $r;
                let n = $least + r.below(5);
                $name {
                    name: r.string(16),
                    description: r.string(120),
                    kind: ["string", "integer", "object"][r.below(3) as usize].into(),
                    required: r.below(2) == 1,
                    values: r.list(4, |r| r.string(12)),
                    children: (0..n).map(|_| $child(r)).collect(),
                }
            }};
        }
        let leaf = |r: &mut Random| Leaf { leaf_name: r.string(16), leaf_kind: r.string(10) };
        let p1 = |r: &mut Random| property!(r, PropertyLeaf, 2, leaf);
        let p2 = |r: &mut Random| property!(r, PropertyPropertyLeaf, 4, p1);
        let p3 = |r: &mut Random| property!(r, PropertyPropertyPropertyLeaf, 8, p2);
        property!(self, Tree, 30, p3)
    }
}
