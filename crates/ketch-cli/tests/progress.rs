//! Progress: on a terminal, for work that takes longer than a second; nowhere else.
#![cfg(target_os = "linux")]

mod common;

use common::Place;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// What the command shows on a terminal while it reads `pieces`, a pause behind each.
fn shown(args: &[&str], pieces: usize, pause: Duration) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("a terminal");
    unlockpt(&master).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("the terminal's name");
    let slave = File::options().read(true).write(true).open(name.to_str().expect("a path"));
    let place = Place::new();
    let mut child = place
        .command(args)
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(slave.expect("the terminal's other end"))
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || {
        let piece = b"- some text\n".repeat(10_000);
        for _ in 0..pieces {
            stdin.write_all(&piece).expect("the command reads");
            thread::sleep(pause);
        }
    });
    let reader = thread::spawn(move || {
        let mut screen = Vec::new();
        // The end of a terminal is an error, and comes when the last writer has gone.
        let _ = File::from(master).read_to_end(&mut screen);
        String::from_utf8_lossy(&screen).into_owned()
    });
    writer.join().expect("the writer ends");
    assert_eq!(child.wait().expect("the command ends").code(), Some(0));
    reader.join().expect("the reader ends")
}

#[test]
fn a_bar_for_long_work_and_nothing_for_short() {
    let pause = Duration::from_millis(250);
    for args in [&["convert", "--to", "events"][..], &["convert"], &["events"]] {
        let screen = shown(args, 8, pause);
        assert!(screen.contains("kB") && screen.contains("/s"), "{args:?} showed {screen:?}");
        assert_eq!(shown(args, 1, Duration::ZERO), "", "{args:?}");
    }
}
