//! The memory that the process may have: that of the machine, or less in a container.

use std::fs;
use std::path::{Path, PathBuf};

/// The memory that the process may have, in bytes; `None` where the system does not tell.
pub(crate) fn of_process() -> Option<u64> {
    of_groups(Path::new("/")).into_iter().chain(of_machine()).min()
}

/// The memory of the machine.
#[cfg(target_os = "linux")]
fn of_machine() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The memory of the machine.
#[cfg(any(windows, target_os = "macos"))]
fn of_machine() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    Some(System::new_with_specifics(memory).total_memory()).filter(|&bytes| bytes > 0)
}

/// The memory of the machine.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn of_machine() -> Option<u64> {
    None
}

/// The smallest limit of the control groups that the process is in, in both versions of these, where the file system begins at `root`.
///
/// A group has no more than the groups around it, whatever its own limit says. In a container the files of its group may lie at the root of the
/// hierarchy, though the process sees its path in that of the host.
fn of_groups(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let places = groups.lines().filter_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let (folder, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        Some((root.join(folder), path.trim_start_matches('/'), file))
    });
    let limits = places.flat_map(|(hierarchy, path, file)| {
        let group = Path::new(path);
        let around: Vec<PathBuf> = group.ancestors().map(|group| hierarchy.join(group)).collect();
        around.into_iter().map(move |group| group.join(file))
    });
    // `max`, or a number beyond what any machine has, means that there is no limit.
    let limit = |file: PathBuf| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    limits.filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file system with these files.
    fn root(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("zonewalk-groups-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        root
    }

    fn limit(name: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root = root(name, files);
        let limit = of_groups(&root);
        fs::remove_dir_all(root).expect("what was made can be removed");
        limit
    }

    #[test]
    fn the_smallest_limit_around_a_group_counts() {
        let files = [
            ("proc/self/cgroup", "0::/ci/job\n"),
            ("sys/fs/cgroup/ci/job/memory.max", "max\n"),
            ("sys/fs/cgroup/ci/memory.max", "536870912\n"),
        ];
        assert_eq!(limit("second", &files), Some(512 << 20));
    }

    #[test]
    fn the_first_version_has_a_hierarchy_of_its_own() {
        let files = [
            ("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/1f\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n"),
            ("sys/fs/cgroup/cpu/memory.limit_in_bytes", "1\n"),
        ];
        assert_eq!(limit("first", &files), Some(256 << 20));
    }

    #[test]
    fn without_groups_there_is_no_limit() {
        assert_eq!(limit("none", &[("proc/self/cgroup", "")]), None);
        let files = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "max\n"),
        ];
        assert_eq!(limit("max", &files), None);
    }

    #[test]
    #[cfg(any(windows, target_os = "linux", target_os = "macos"))]
    fn the_process_has_some_memory() {
        assert!(of_process().is_some_and(|bytes| bytes > 1 << 20));
    }
}
