//! Resources that the process has used, and those that the machine has.

use crate::memory_limit;
use std::time::Duration;

/// Time of processors so far; nothing where the system does not tell.
pub fn cpu_time() -> Duration {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::sys::time::TimeValLike as _;
        if let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) {
            let micros = (usage.user_time() + usage.system_time()).num_microseconds();
            return Duration::from_micros(u64::try_from(micros).unwrap_or(0));
        }
    }
    Duration::ZERO
}

/// The part of the memory that the process may have for states unless a limit is given, in percent.
const MEMORY_SHARE: u64 = 80;

/// The memory for states unless a limit is given: a share of what the machine has, or of what a container leaves. None where the system does not
/// tell how much there is.
pub fn default_memory() -> Option<u64> {
    memory_limit::of_process().map(|all| all / 100 * MEMORY_SHARE)
}

/// The most memory that was in use so far, in bytes; 0 where the system does not tell.
pub fn peak_memory() -> u64 {
    field("VmHWM:")
}

/// The memory that is in use now, in bytes; 0 where the system does not tell.
pub fn memory() -> u64 {
    field("VmRSS:")
}

fn field(name: &str) -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return 0;
    };
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(0, kibibytes)
}

/// `  1234 kB` in bytes.
fn kibibytes(text: &str) -> u64 {
    let number = text.trim().trim_end_matches("kB").trim().parse::<u64>();
    number.unwrap_or(0) * 1024
}
