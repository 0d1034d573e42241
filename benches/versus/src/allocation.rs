//! How often does a piece of work ask for memory, and how much does it hold at most?
//!
//! Counting is off while time is measured, so that contenders who allocate do not pay for being counted. Growing in
//! place counts as one request and holds the difference.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

static ON: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicIsize = AtomicIsize::new(0);
static HELD: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// What a piece of work asked for.
pub struct Used {
    /// Requests to the allocator.
    pub count: usize,
    /// The most bytes held at once, beyond those held at the start.
    pub peak: usize,
}

/// Counts what `work` asks for; single-threaded.
pub fn of<T>(work: impl FnOnce() -> T) -> Used {
    COUNT.store(0, Relaxed);
    HELD.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    let result = work();
    ON.store(false, Relaxed);
    drop(result);
    Used { count: COUNT.load(Relaxed) as usize, peak: PEAK.load(Relaxed).max(0) as usize }
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn take(bytes: isize) {
    if ON.load(Relaxed) {
        COUNT.fetch_add(1, Relaxed);
        let held = HELD.fetch_add(bytes, Relaxed) + bytes;
        PEAK.fetch_max(held, Relaxed);
    }
}

// SAFETY: every request goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        take(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        if ON.load(Relaxed) {
            HELD.fetch_sub(layout.size() as isize, Relaxed);
        }
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(at, layout) }
    }
}
