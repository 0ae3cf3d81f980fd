//! Tests of the progress bar, which is shown only on a terminal and for work that takes longer than
//! a second.
#![cfg(target_os = "linux")]

mod common;

use common::Sandbox;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Returns what the command shows on a terminal that is `columns` wide, while it reads `pieces`
/// pieces of input with a pause after each.
fn shown(args: &[&str], pieces: usize, pause: Duration, columns: u16) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("a terminal");
    unlockpt(&master).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("the terminal's name");
    let slave = File::options().read(true).write(true).open(name.to_str().expect("a path"));
    let slave = slave.expect("the terminal's other end");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&slave, size).expect("a size");
    let sandbox = Sandbox::new();
    let mut child = sandbox
        .command(args)
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(slave)
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
        // When the last writer has closed the terminal, reading from it ends with an error.
        let _ = File::from(master).read_to_end(&mut screen);
        String::from_utf8_lossy(&screen).into_owned()
    });
    writer.join().expect("the writer ends");
    assert_eq!(child.wait().expect("the command ends").code(), Some(0));
    reader.join().expect("the reader ends")
}

#[test]
fn a_bar_is_shown_only_for_long_work() {
    let pause = Duration::from_millis(250);
    for args in [&["convert", "--to", "events"][..], &["convert"], &["events"]] {
        let screen = shown(args, 8, pause, 80);
        assert!(screen.contains("kB") && screen.contains("/s"), "{args:?} showed {screen:?}");
        assert_eq!(shown(args, 1, Duration::ZERO, 80), "", "{args:?}");
    }
}

/// Returns the width of the longest line on `screen`, without the sequences that move the cursor or
/// clear the screen.
fn widest(screen: &str) -> usize {
    let lines = screen.split(['\r', '\n']).map(|line| {
        let mut parts = line.split("\x1b[");
        let first = parts.next().unwrap_or_default().chars().count();
        let rest = parts.map(|part| {
            let end = part.find(|ch: char| ch.is_ascii_alphabetic()).map_or(0, |at| at + 1);
            part[end..].chars().count()
        });
        first + rest.sum::<usize>()
    });
    lines.max().unwrap_or_default()
}

#[test]
fn output_fits_a_narrow_terminal() {
    let screen = shown(&["events"], 8, Duration::from_millis(250), 20);
    assert!(screen.contains("kB") && !screen.contains("/s"), "{screen:?}");
    assert!(widest(&screen) <= 20, "{screen:?}");
}

#[test]
fn work_on_whole_files_shows_its_phases() {
    // Reading standard input takes long, but is part of the work.
    let pause = Duration::from_millis(250);
    for (args, phase) in
        [(&["fmt", "-"][..], "formatting"), (&["set", "--if-exists", ".a", "1", "-"], "editing")]
    {
        let screen = shown(args, 8, pause, 80);
        assert!(screen.contains(phase), "{args:?} showed {screen:?}");
        assert_eq!(shown(args, 1, Duration::ZERO, 80), "", "{args:?}");
    }
}
