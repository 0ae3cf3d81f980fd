//! The stack of values and the frames of functions, both of which forks can return to.

use super::tracked::Tracked;
use crate::value::Value;

/// An item of the stack of values.
#[derive(Clone, Debug)]
pub enum Item {
    Value(Value),
    /// The path that the machine followed before the filter that it follows now.
    Tracked(Option<Box<Tracked>>),
    /// The number of the fork of a `try`.
    Mark(u64),
}

/// A stack whose cells are linked, so that a fork only notes its top. Cells below `floor` belong to forks: they are
/// copied instead of taken.
#[derive(Debug, Default)]
pub struct Stack {
    cells: Vec<(Item, u32)>,
    /// The number of the top cell, counted from 1; 0 if the stack is empty.
    top: u32,
    floor: u32,
}

impl Stack {
    /// Removes all items.
    pub fn clear(&mut self) {
        self.cells.clear();
        (self.top, self.floor) = (0, 0);
    }

    /// Returns the top, and the number of cells, for a fork.
    pub fn note(&mut self) -> (u32, u32) {
        self.floor = self.cells.len() as u32;
        (self.top, self.floor)
    }

    /// Returns to what a fork has noted. `floor` is that of the fork before it.
    pub fn restore(&mut self, (top, len): (u32, u32), floor: u32) {
        self.cells.truncate(len as usize);
        self.top = top;
        self.floor = floor;
    }

    /// Sets the floor, after forks were dropped.
    pub fn set_floor(&mut self, floor: u32) {
        self.floor = floor;
    }

    /// Drops what neither the top nor a fork needs.
    pub fn trim(&mut self) {
        self.cells.truncate(self.top.max(self.floor) as usize);
    }

    /// Puts an item on the stack.
    pub fn push_item(&mut self, item: Item) {
        self.trim();
        self.cells.push((item, self.top));
        self.top = self.cells.len() as u32;
    }

    pub fn push(&mut self, value: Value) {
        self.push_item(Item::Value(value));
    }

    /// Takes the top item.
    pub fn pop_item(&mut self) -> Item {
        let top = self.top;
        if top > self.floor {
            self.cells.truncate(top as usize);
            if let Some((item, below)) = self.cells.pop() {
                self.top = below;
                return item;
            }
        } else if let Some((item, below)) = self.cells.get(top.wrapping_sub(1) as usize) {
            self.top = *below;
            return item.clone();
        }
        Item::Value(Value::Null)
    }

    pub fn pop(&mut self) -> Value {
        match self.pop_item() {
            Item::Value(value) => value,
            _ => Value::Null,
        }
    }

    /// Puts a mark below the top.
    pub fn push_mark(&mut self, mark: u64) {
        let top = self.pop_item();
        self.push_item(Item::Mark(mark));
        self.push_item(top);
    }

    /// Takes the mark below the top.
    pub fn pop_mark(&mut self) -> u64 {
        let top = self.pop_item();
        let mark = self.pop_item();
        self.push_item(top);
        match mark {
            Item::Mark(mark) => mark,
            _ => u64::MAX,
        }
    }

    /// Returns the top.
    pub fn peek(&self) -> &Value {
        match self.cells.get(self.top.wrapping_sub(1) as usize) {
            Some((Item::Value(value), _)) => value,
            _ => &Value::Null,
        }
    }

    /// Replaces the top.
    pub fn replace(&mut self, value: Value) {
        if self.top > self.floor {
            self.cells[self.top as usize - 1].0 = Item::Value(value);
        } else {
            self.pop_item();
            self.push(value);
        }
    }

    /// Takes what is below the top.
    pub fn pop_below(&mut self) -> Value {
        let top = self.pop_item();
        let value = self.pop();
        self.push_item(top);
        value
    }
}

/// What a slot of a frame holds.
#[derive(Clone, Debug)]
pub enum Held {
    Value(Value),
    /// A function, with the frame that it was made in.
    Closure {
        function: u32,
        frame: u32,
    },
    /// The number of forks, or of a label.
    Mark(u64),
    /// A text that others are added to.
    Text(String),
}

/// The frame of a function that runs.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The frame of the function around it.
    pub outer: u32,
    pub caller: u32,
    pub resume: u32,
    /// Where its slots start.
    pub slots: u32,
}

/// The frames and their slots. Those below the floors belong to forks and are kept.
#[derive(Debug, Default)]
pub struct Frames {
    pub frames: Vec<Frame>,
    pub slots: Vec<Held>,
    pub current: u32,
    floor: u32,
}

impl Frames {
    /// Removes all frames.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.slots.clear();
        (self.current, self.floor) = (0, 0);
    }

    /// Notes the state for a fork: the current frame, and the numbers of frames and slots.
    pub fn note(&mut self) -> (u32, u32, u32) {
        self.floor = self.frames.len() as u32;
        (self.current, self.floor, self.slots.len() as u32)
    }

    /// Returns to what a fork has noted.
    pub fn restore(&mut self, (current, frames, slots): (u32, u32, u32), floor: u32) {
        self.frames.truncate(frames as usize);
        self.slots.truncate(slots as usize);
        self.current = current;
        self.floor = floor;
    }

    pub fn set_floor(&mut self, floor: u32) {
        self.floor = floor;
    }

    /// Starts a frame, whose first slots hold `given`.
    pub fn enter(
        &mut self,
        outer: u32,
        resume: u32,
        given: impl Iterator<Item = Held>,
        slots: u16,
    ) {
        let start = self.slots.len() as u32;
        self.slots.extend(given);
        self.slots.resize(start as usize + slots as usize, Held::Value(Value::Null));
        self.frames.push(Frame { outer, caller: self.current, resume, slots: start });
        self.current = self.frames.len() as u32 - 1;
    }

    /// Ends the current frame, and returns where to go on.
    pub fn leave(&mut self) -> u32 {
        let current = self.current;
        let frame = self.frames[current as usize];
        if current >= self.floor {
            self.frames.truncate(current as usize);
            self.slots.truncate(frame.slots as usize);
        }
        self.current = frame.caller;
        frame.resume
    }

    /// Returns the frame that is `out` functions around the current one.
    pub fn around(&self, out: u16) -> u32 {
        (0..out).fold(self.current, |frame, _| self.frames[frame as usize].outer)
    }

    /// Returns a slot of the frame that is `out` functions around the current one.
    pub fn slot(&mut self, out: u16, index: u16) -> &mut Held {
        let start = self.frames[self.around(out) as usize].slots;
        &mut self.slots[start as usize + index as usize]
    }
}
