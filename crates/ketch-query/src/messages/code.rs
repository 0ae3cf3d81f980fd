//! The code that the parser emits.

use crate::builtins::messages;
use crate::compile::op::{How, Op, Slot};
use crate::compile::{Code, Function};
use crate::syntax::Span;
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// An instruction or a label.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    Op(Op, Span),
    Label(u32),
    Nothing,
}

#[derive(Debug, Default)]
pub(super) struct Emitter {
    pieces: Vec<Piece>,
    /// Instructions to put before the piece with this number.
    inserted: Vec<(usize, [Op; 2], Span)>,
    labels: u32,
    constants: Vec<Value>,
    texts: HashMap<Arc<str>, u32>,
    slots: u32,
}

impl Emitter {
    /// Returns the number of the next piece.
    pub fn position(&self) -> usize {
        self.pieces.len()
    }

    pub fn emit(&mut self, op: Op, span: Span) {
        self.pieces.push(Piece::Op(op, span));
    }

    pub fn emit_all(&mut self, ops: &[Op], span: Span) {
        self.pieces.extend(ops.iter().map(|op| Piece::Op(*op, span)));
    }

    /// Puts a label here.
    pub fn place(&mut self, label: u32) {
        self.pieces.push(Piece::Label(label));
    }

    /// Puts instructions before the piece at `position`, and before others that were put there.
    pub fn insert(&mut self, position: usize, ops: [Op; 2], span: Span) {
        self.inserted.push((position, ops, span));
    }

    /// Removes the piece at `position`.
    pub fn remove(&mut self, position: usize) {
        self.pieces[position] = Piece::Nothing;
    }

    pub fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels - 1
    }

    /// Returns a new variable. If there are too many, compiling fails in the end.
    pub fn slot(&mut self) -> u16 {
        self.slots += 1;
        (self.slots - 1) as u16
    }

    /// Returns whether instructions can address all variables.
    pub fn fits(&self) -> bool {
        self.slots < u32::from(u16::MAX)
    }

    /// Pushes a constant.
    pub fn push_constant(&mut self, value: Value, span: Span) {
        self.constants.push(value);
        let number = self.constants.len() as u32 - 1;
        self.emit_all(&[Op::PushNull, Op::Const(number)], span);
    }

    /// Pushes a text.
    pub fn push_text(&mut self, text: &str, span: Span) {
        let number = self.text(text);
        self.emit_all(&[Op::PushNull, Op::Const(number)], span);
    }

    /// Pushes the value of a variable.
    pub fn push_variable(&mut self, index: u16, span: Span) {
        self.emit_all(&[Op::PushNull, Op::Load(Slot { out: 0, index })], span);
    }

    /// Pushes the value of a variable, which is not needed any more.
    pub fn push_last(&mut self, index: u16, span: Span) {
        self.emit_all(&[Op::PushNull, Op::Take(Slot { out: 0, index })], span);
    }

    /// Returns the number of a constant with this text.
    fn text(&mut self, text: &str) -> u32 {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let (text, number) = (Arc::from(text), self.constants.len() as u32);
        self.constants.push(Value::Text(Arc::clone(&text)));
        self.texts.insert(text, number);
        number
    }

    /// Sends a message that is a built-in.
    pub fn call(&mut self, name: &str, count: u8, span: Span) {
        self.call_as(name, name, count, span);
    }

    /// Sends the built-in `native`, which errors call `name`.
    pub fn call_as(&mut self, native: &str, name: &str, count: u8, span: Span) {
        self.send(native, name, count, How::Call, span);
    }

    /// Sends a message.
    pub fn send(&mut self, native: &str, name: &str, count: u8, how: How, span: Span) {
        let native = messages::find(native).map_or(messages::NONE, |(number, _)| number);
        let name = self.text(name);
        self.emit(Op::Message { name, native, count, how }, span);
    }

    /// Returns the compiled program.
    pub fn finish(mut self) -> Code {
        // Of handlers before one chain, the last one is for what is around the others.
        self.inserted.reverse();
        self.inserted.sort_by_key(|(position, ..)| *position);
        let mut inserted = self.inserted.into_iter().peekable();
        let mut code = Code { constants: self.constants, ..Code::default() };
        let mut labels = vec![0; self.labels as usize];
        for (position, piece) in self.pieces.into_iter().enumerate() {
            while let Some((_, ops, span)) = inserted.next_if(|(at, ..)| *at == position) {
                for op in ops {
                    code.ops.push(op);
                    code.spans.push((1, span));
                }
            }
            match piece {
                Piece::Op(op, span) => {
                    code.ops.push(op);
                    code.spans.push((1, span));
                }
                Piece::Label(label) => labels[label as usize] = code.ops.len() as u32,
                Piece::Nothing => {}
            }
        }
        code.functions.push(Function { entry: 0, slots: self.slots as u16 });
        code.resolve_labels(&labels);
        code
    }
}
