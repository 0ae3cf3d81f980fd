//! Works on items by several threads. The results are received in the order of the items.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// The number of items per thread that are started before their results can be received.
const ITEMS_AHEAD: usize = 3;

/// Calls `work` with each of `items` on `threads` threads, and `receive` with the results on this
/// one, in order. Ends at the first failure of `receive`. Memory holds a few items and results.
pub fn in_order<T: Send, R: Send, E>(
    mut items: impl Iterator<Item = T>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut receive: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (tasks, queue) = channel::<(T, SyncSender<R>)>();
    let queue = Mutex::new(queue);
    let run = || run(&queue, &work);
    thread::scope(|scope| {
        // The threads end once this is dropped.
        let tasks = tasks;
        let start = || thread::Builder::new().spawn_scoped(scope, run).is_ok();
        let started = (0..threads).take_while(|_| start()).count();
        if started == 0 {
            return items.try_for_each(|item| receive(work(item)));
        }
        let mut pending = VecDeque::new();
        loop {
            while pending.len() < started * ITEMS_AHEAD
                && let Some(item) = items.next()
            {
                let (sender, result) = sync_channel(1);
                pending.push_back(result);
                if tasks.send((item, sender)).is_err() {
                    break;
                }
            }
            // If a thread has panicked, the scope does so too.
            let Some(Ok(result)) = pending.pop_front().map(|result| result.recv()) else {
                return Ok(());
            };
            receive(result)?;
        }
    })
}

/// Calls `work` with each item of `queue` until there are no more, and sends the results.
fn run<T, R>(queue: &Mutex<Receiver<(T, SyncSender<R>)>>, work: impl Fn(T) -> R) {
    // The queue is locked only until there is an item.
    while let Ok(Ok((item, result))) = queue.lock().map(|queue| queue.recv()) {
        // If nobody waits for the result, receiving an earlier one has failed.
        if result.send(work(item)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_are_in_order_and_few_are_ahead() {
        for threads in [0, 1, 2, 3, 50] {
            let taken = AtomicUsize::new(0);
            let items = (0..300).inspect(|_| {
                taken.fetch_add(1, Ordering::SeqCst);
            });
            let work = |item: usize| {
                if item.is_multiple_of(97) {
                    thread::sleep(Duration::from_millis(2));
                }
                item
            };
            let mut received = 0;
            let done: Result<(), ()> = in_order(items, threads, work, |item| {
                assert_eq!(item, received);
                received += 1;
                let ahead = taken.load(Ordering::SeqCst) - item;
                assert!(ahead <= threads.max(1) * ITEMS_AHEAD, "{ahead}");
                Ok(())
            });
            assert_eq!((done, received), (Ok(()), 300), "{threads}");
        }
    }

    #[test]
    fn a_failure_ends_the_work() {
        let started = AtomicUsize::new(0);
        let work = |item| (started.fetch_add(1, Ordering::SeqCst), item).1;
        let done = in_order(0.., 2, work, |item| if item == 20 { Err(item) } else { Ok(()) });
        assert_eq!(done, Err(20));
        assert!(started.load(Ordering::SeqCst) <= 21 + 2 * ITEMS_AHEAD);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let work = |item: usize| assert!(item != 5, "five");
        let _: Result<(), ()> = in_order(0..10, 2, work, |()| Ok(()));
    }
}
