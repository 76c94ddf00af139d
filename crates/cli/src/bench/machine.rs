//! What was measured, and on what.

/// The version with its commit, the processor and how many there are.
pub(super) fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "zonewalk {} ({}); {model}, {processors} processors",
        env!("CARGO_PKG_VERSION"),
        env!("ZONEWALK_BUILD")
    )
}
