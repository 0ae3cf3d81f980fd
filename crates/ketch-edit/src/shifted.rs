//! Lists of offsets that can be moved together.

use std::ops::Range;

/// A value with offsets that have to move if the text before them changes its length.
pub(super) trait Shift: Copy {
    /// Returns the value with `delta` added to its offsets.
    fn shifted(self, delta: i64) -> Self;
}

impl Shift for u32 {
    fn shifted(self, delta: i64) -> u32 {
        (i64::from(self) + delta) as u32
    }
}

/// A list of offsets in which all values from an index on can be moved at once.
///
/// An edit moves everything after it, and is often close to the edit before. So the list stores an
/// index, and the distance by which the values from that index on have yet to be moved. Each edit
/// moves the index to its own place, which takes time in proportion to the distance between the two
/// edits, not to the length of the list.
#[derive(Debug)]
pub(super) struct Shifted<T> {
    values: Vec<T>,
    /// The index from which on `delta` has yet to be added.
    from: usize,
    delta: i64,
}

impl<T> Default for Shifted<T> {
    fn default() -> Self {
        Shifted { values: Vec::new(), from: 0, delta: 0 }
    }
}

impl<T> From<Vec<T>> for Shifted<T> {
    fn from(values: Vec<T>) -> Self {
        Shifted { values, from: 0, delta: 0 }
    }
}

impl<T: Shift> Shifted<T> {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the value at `index`, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        let value = *self.values.get(index)?;
        Some(if index < self.from { value } else { value.shifted(self.delta) })
    }

    /// Returns the value at `index`, which must exist.
    #[inline]
    pub fn at(&self, index: usize) -> T {
        let value = self.values[index];
        if index < self.from { value } else { value.shifted(self.delta) }
    }

    /// Returns the last value.
    pub fn last(&self) -> Option<T> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Adds a value at the end.
    #[inline]
    pub fn push(&mut self, value: T) {
        let is_before = self.values.len() < self.from;
        self.values.push(if is_before { value } else { value.shifted(-self.delta) });
    }

    /// Replaces the value at `index`, which must exist.
    pub fn set(&mut self, index: usize, value: T) {
        self.values[index] = if index < self.from { value } else { value.shifted(-self.delta) };
    }

    /// Removes the value at `index`, which must exist.
    pub fn remove(&mut self, index: usize) {
        self.values.remove(index);
        self.from -= usize::from(index < self.from);
    }

    /// Adds `delta` to all values from `index` on.
    pub fn shift_from(&mut self, index: usize, delta: i64) {
        self.split_at(index.min(self.len()));
        self.delta += delta;
    }

    /// Replaces the values in `range` by `new`.
    pub fn splice(&mut self, range: Range<usize>, new: Vec<T>) {
        self.split_at(range.end);
        self.from = range.start + new.len();
        self.values.splice(range, new);
    }

    /// Makes `index` the index from which on values have yet to be moved.
    fn split_at(&mut self, index: usize) {
        if self.delta != 0 {
            let (range, delta) = match index < self.from {
                true => (index..self.from, -self.delta),
                false => (self.from..index, self.delta),
            };
            self.values[range].iter_mut().for_each(|value| *value = value.shifted(delta));
        }
        self.from = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The plain list moves its values immediately, not on demand.
        #[test]
        fn shifted_values_equal_those_of_a_plain_list(
            edits in prop::collection::vec((any::<u8>(), 0usize..20, 0usize..4, 0i64..9), 0..60),
        ) {
            let mut plain: Vec<u32> = (0..20).map(|at| 1000 + at).collect();
            let mut shifted = Shifted::from(plain.clone());
            for (kind, index, count, delta) in edits {
                let index = index % (plain.len() + 1);
                match kind % 4 {
                    0 => {
                        plain[index..].iter_mut().for_each(|value| *value += delta as u32);
                        shifted.shift_from(index, delta);
                    }
                    1 => {
                        let range = index..(index + count).min(plain.len());
                        let new = vec![delta as u32; usize::try_from(delta).unwrap() % 3];
                        plain.splice(range.clone(), new.clone());
                        shifted.splice(range, new);
                    }
                    2 => {
                        plain.push(7000);
                        shifted.push(7000);
                    }
                    3 if count == 0 && index < plain.len() => {
                        plain.remove(index);
                        shifted.remove(index);
                    }
                    _ if index < plain.len() => {
                        plain[index] = 9000;
                        shifted.set(index, 9000);
                    }
                    _ => {}
                }
                let all: Vec<u32> = (0..shifted.len()).map(|at| shifted.at(at)).collect();
                prop_assert_eq!(&all, &plain);
                prop_assert_eq!(shifted.last(), plain.last().copied());
                prop_assert_eq!(shifted.get(plain.len()), None);
            }
        }
    }
}
