//! The frames of the machine's stack. Each has a tag, a number and a position in eight bytes.

/// A frame. When matching fails, frames are removed from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A `Split` whose second alternative has not been tried, and the position.
    Alternative(u32, u32),
    /// A `Split` whose second alternative is being tried, and the position. When this frame is
    /// reached, both alternatives have failed.
    Last(u32, u32),
    /// A `Split` in atomic groups that have ended: the number of these groups, the `Split` and the
    /// position.
    Cut(u8, u32, u32),
    /// An open atomic group.
    Atomic,
    /// An open look-around, and the position.
    Look(u32, u32),
    /// A slot and its old value.
    Slot(u32, u32),
    /// A register and its old value.
    Register(u32, u32),
    /// The old start of the match.
    Keep(u32),
    /// The least position at which an absence operator may end. The next two frames have the
    /// greatest such position, and the one that was tried last.
    AbsenceLow(u32, u32),
    AbsenceHigh(u32, u32),
    AbsenceAt(u32, u32),
    /// The call that was open before a new call. `Return` has the call that has returned.
    Call(u32),
    Return(u32),
    /// A look-around that is known to hold, and the position. Its captures are found at the end.
    Shortcut(u32, u32),
    /// The old length of the trace.
    Trace(u32),
}

/// A frame that is packed in eight bytes.
#[derive(Clone, Copy)]
pub(crate) struct Packed(u32, u32);

const NUMBER_BITS: u32 = 24;

impl From<Frame> for Packed {
    fn from(frame: Frame) -> Packed {
        let (tag, number, at) = match frame {
            Frame::Alternative(pc, at) => (0, pc, at),
            Frame::Last(pc, at) => (1, pc, at),
            Frame::Atomic => (2, 0, 0),
            Frame::Look(pc, at) => (3, pc, at),
            Frame::Slot(slot, old) => (4, slot, old),
            Frame::Register(register, old) => (5, register, old),
            Frame::Keep(old) => (6, 0, old),
            Frame::AbsenceLow(pc, at) => (7, pc, at),
            Frame::AbsenceHigh(pc, at) => (8, pc, at),
            Frame::AbsenceAt(pc, at) => (9, pc, at),
            Frame::Call(old) => (10, 0, old),
            Frame::Shortcut(pc, at) => (11, pc, at),
            Frame::Trace(length) => (12, 0, length),
            Frame::Return(old) => (13, 0, old),
            Frame::Cut(level, pc, at) => (u32::from(level) + 13, pc, at),
        };
        Packed(tag << NUMBER_BITS | number, at)
    }
}

impl From<Packed> for Frame {
    fn from(Packed(head, at): Packed) -> Frame {
        let number = head & ((1 << NUMBER_BITS) - 1);
        match head >> NUMBER_BITS {
            0 => Frame::Alternative(number, at),
            1 => Frame::Last(number, at),
            2 => Frame::Atomic,
            3 => Frame::Look(number, at),
            4 => Frame::Slot(number, at),
            5 => Frame::Register(number, at),
            6 => Frame::Keep(at),
            7 => Frame::AbsenceLow(number, at),
            8 => Frame::AbsenceHigh(number, at),
            9 => Frame::AbsenceAt(number, at),
            10 => Frame::Call(at),
            11 => Frame::Shortcut(number, at),
            12 => Frame::Trace(at),
            13 => Frame::Return(at),
            level => Frame::Cut((level - 13) as u8, number, at),
        }
    }
}

/// The maximum number of instructions of a program, and the maximum number in a frame.
pub(crate) const NUMBER_MAX: usize = (1 << NUMBER_BITS) - 1;
/// The maximum number of atomic groups in a `Cut`. Deeper cuts also get this number.
pub(crate) const CUT_MAX: u8 = 200;
