//! Measures the memory that is used to read a long sequence. This is a process of its own, so that
//! nothing else is measured.
#![cfg(target_os = "linux")]

use ketch::serde::Elements;
use serde::Deserialize;
use std::io::Read;

#[derive(Deserialize)]
struct Record {
    id: u64,
    tags: Vec<String>,
}

/// A reader that generates records when they are read.
struct Records {
    next: u64,
    count: u64,
    text: Vec<u8>,
}

impl Read for Records {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.text.len() < buffer.len() && self.next < self.count {
            let id = self.next;
            let record = format!("- id: {id}\n  tags: [a{id}, \"b {id}\"]\n");
            self.text.extend_from_slice(record.as_bytes());
            self.next += 1;
        }
        let count = self.text.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.text[..count]);
        self.text.drain(..count);
        Ok(count)
    }
}

/// Returns the peak of the memory that this process has used, in kB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the process's own status");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak");
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

fn read(count: u64) -> u64 {
    let reader = Records { next: 0, count, text: Vec::new() };
    let mut next = 0;
    for record in Elements::<Record>::from_reader(reader) {
        let record = record.expect("a record");
        assert_eq!((record.id, record.tags.len()), (next, 2));
        next += 1;
    }
    assert_eq!(next, count);
    peak()
}

#[test]
fn memory_does_not_grow_with_the_sequence() {
    let small = read(20_000);
    let large = read(600_000);
    assert!(large < small + 2048, "{small} kB for 20,000 records, {large} kB for 600,000");
}
