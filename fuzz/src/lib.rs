//! Properties that hold for any input, a module for each target. A target itself is one line, so that a plain test can run the seeds through
//! the same functions, without libFuzzer.

pub mod aut;
pub mod certificate;
pub mod expression;
pub mod front;
pub mod store;
pub mod tioa;
pub mod tioa_query;
pub mod verdict;
pub mod xml;

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, OnceLock};
use zonewalk_syntax::stack::with_room;

/// Where inputs go to, and where the end of the work is told.
type Worker = Mutex<(SyncSender<Vec<u8>>, Receiver<()>)>;

/// Runs `work` on `input` in a thread with a large stack, always the same one. All calls pass the same `work`.
///
/// The readers and the checker start a thread with a large stack each time they are called from elsewhere. Under a sanitizer that
/// takes far longer than the work itself.
pub fn in_a_large_stack(input: &[u8], work: fn(&[u8])) {
    static WORKER: OnceLock<Worker> = OnceLock::new();
    let worker = WORKER.get_or_init(|| {
        let (inputs, received) = sync_channel::<Vec<u8>>(0);
        let (done, finished) = sync_channel(0);
        std::thread::spawn(move || {
            with_room(move || {
                while let Ok(input) = received.recv() {
                    work(&input);
                    done.send(()).expect("the caller waits");
                }
            });
        });
        Mutex::new((inputs, finished))
    });
    // A panic of the work ends the process, so that no caller waits in vain.
    let (inputs, finished) = &*worker.lock().expect("one call at a time");
    inputs.send(input.to_vec()).expect("the worker waits");
    finished.recv().expect("the worker answers");
}
