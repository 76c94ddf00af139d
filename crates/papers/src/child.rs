//! Runs zonewalk in a process of its own, with a limit on seconds of the processor: others may use the machine, too, and what one search
//! has in memory is not there for the next.

use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Command that starts zonewalk where this process is another program.
static PROGRAM: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets what starts zonewalk as a process, once.
pub fn set_program(program: &[OsString]) {
    let _ = PROGRAM.set(program.to_vec());
}

fn command() -> io::Result<Command> {
    match PROGRAM.get().map(Vec::as_slice) {
        Some([file, first @ ..]) => {
            let mut command = Command::new(file);
            command.args(first);
            Ok(command)
        }
        _ => Ok(Command::new(std::env::current_exe()?)),
    }
}

/// Output of a process, and how it ended.
pub(super) struct ProcessOutput {
    pub(super) output: Vec<u8>,
    pub(super) errors: String,
    /// Whether its time was over.
    pub(super) is_late: bool,
    /// How it ended, if not by itself.
    pub(super) killed: Option<String>,
}

/// Runs zonewalk with arguments and an input. When its time is over it is asked to tell what it knows.
pub(super) fn run<'a>(
    args: impl IntoIterator<Item = &'a std::ffi::OsStr>,
    input: Option<&str>,
    time: Duration,
) -> io::Result<ProcessOutput> {
    let mut child = command()?
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let output = scope.spawn(move || read(stdout));
        let errors = scope.spawn(move || read(stderr));
        if let (Some(mut stdin), Some(input)) = (stdin, input) {
            // One that refuses its arguments does not read.
            let _ = stdin.write_all(input.as_bytes());
        }
        let is_late = wait(&mut child, time)?;
        let status = child.wait()?;
        Ok(ProcessOutput {
            output: output.join().unwrap_or_default(),
            errors: String::from_utf8_lossy(&errors.join().unwrap_or_default()).into_owned(),
            is_late,
            killed: status.code().is_none().then(|| status.to_string()),
        })
    })
}

fn read(stream: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What was read before an error is still something.
        let _ = stream.read_to_end(&mut bytes);
    }
    bytes
}

/// One that does not stop when it is asked to is stopped after this.
const GRACE: Duration = Duration::from_secs(30);

/// Waits until a process has ended or its time is over; then asks it to end, and says so.
fn wait(child: &mut Child, time: Duration) -> io::Result<bool> {
    let start = Instant::now();
    let mut is_late = false;
    while child.try_wait()?.is_none() {
        let used = processor_time(child.id()).unwrap_or_else(|| start.elapsed());
        if !is_late && used >= time {
            is_late = true;
            interrupt(child)?;
        } else if used >= time + GRACE {
            child.kill()?;
        }
        std::thread::sleep(
            Duration::from_millis(5)
                .max(time / 1000)
                .min(Duration::from_millis(50)),
        );
    }
    Ok(is_late)
}

/// As Ctrl-C does.
fn interrupt(child: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        let process = nix::unistd::Pid::from_raw(id);
        return nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGINT).map_err(io::Error::from);
    }
    child.kill()
}

/// Processor time of a process and all of its threads; nothing where the system does not tell.
fn processor_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program comes before, and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    // Hundredths of a second, whatever the kernel counts in.
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn time_of_the_processor_grows() {
        let now = || processor_time(std::process::id()).expect("Linux tells");
        let before = now();
        let start = Instant::now();
        while now() == before && start.elapsed() < Duration::from_secs(60) {
            std::hint::black_box((0..10_000).sum::<u64>());
        }
        assert!(now() > before);
        assert_eq!(processor_time(0), None);
    }
}
