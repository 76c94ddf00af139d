//! Room for recursion.
//!
//! Expressions may nest a thousand deep ([`MAX_NESTING`](crate::parser::MAX_NESTING)), and every pass over them
//! recurses. A thread of the caller's may have any stack; the readers and the checker bring their own.

/// Enough for the deepest tree in an unoptimised build, many times over. Pages are committed only when touched.
const STACK: usize = 256 << 20;

thread_local! {
    static ROOMY: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs `work` on a thread with a large stack, or right here when this is such a thread already.
///
/// A panic of `work` goes on in the caller. When the system refuses another thread, `work` runs here.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if ROOMY.get() {
        return work();
    }
    let work = std::sync::Mutex::new(Some(work));
    let run = || {
        let work = work.lock().ok().and_then(|mut w| w.take());
        work.map(|work| work())
    };
    let result = std::thread::scope(|scope| {
        let roomy = || {
            ROOMY.set(true);
            run()
        };
        match std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, roomy)
        {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    });
    result.unwrap_or_else(|| unreachable!("the work is taken exactly once"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn nested_calls_share_the_room() {
        let outer = super::with_room(|| {
            let here = std::thread::current().id();
            super::with_room(|| std::thread::current().id() == here)
        });
        assert!(outer);
    }
}
