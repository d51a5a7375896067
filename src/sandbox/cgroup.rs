//! Control groups: limits and counters for a cell and all processes that it starts.
//!
//! Versions 1 and 2 are supported. Version 2 has one hierarchy, and requires a delegated subtree or root privileges.
//! Version 1 has several hierarchies with different controllers. A cell enters its group once, at its start, and its
//! programs inherit the group, since moving a process at each run would take milliseconds.

use std::io::{Error, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err::File;

use super::fork_server::ForkServer;
use super::message::{MemoryCounts, PeakCounter};
use super::outcome::CgroupCounts;
use super::sys;
use super::temp_dir::TempDirs;

/// The parent groups below which the groups of cells are created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CgroupHierarchy {
    /// The parent group in the single hierarchy of version 2.
    V2(PathBuf),
    /// Version 1: one parent group per controller.
    V1 {
        /// The parent group in the hierarchy of the `memory` controller.
        memory: PathBuf,
        /// The parent group in the hierarchy of the `cpuacct` controller.
        cpu: PathBuf,
        /// The parent group in the hierarchy of the `pids` controller.
        processes: PathBuf,
    },
}

/// The control group of one cell.
#[derive(Debug)]
pub(super) struct Cgroup {
    hierarchy: CgroupHierarchy,
    files: CgroupFiles,
    strict: bool,
    /// The current memory limit, in bytes; `None` before the first run.
    memory_limit: Option<u64>,
    /// The current process limit; `None` before the first run.
    process_limit: Option<u64>,
    /// Memory use of the cell itself, in bytes, measured after its preparation.
    baseline: u64,
    /// Memory use before the current run, in bytes. It consists of the cell's own memory and the page cache.
    before_run: u64,
    /// The part of the memory in the current run that does not count towards the limit: files that the cell creates and that
    /// the program may not change, in bytes.
    file_bytes: u64,
    /// The counts of events before the current run.
    before: EventCounts,
}

/// The counts of events in a group since its creation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct EventCounts {
    /// The number of kills by the kernel's OOM killer.
    killed: u64,
    /// The number of process creations that the process limit prevented.
    refused: u64,
}

/// The control files that each run reads. They stay open, since opening them takes longer than reading them.
#[derive(Debug)]
struct CgroupFiles {
    used: File,
    peak: Option<File>,
    /// The file whose line `oom_kill N` states the number of OOM kills.
    killed: File,
    /// The file whose line `max N` states the number of prevented process creations.
    refused: File,
}

/// The number of the cell's own processes, which count towards the process limit of its group.
const OWN_PROCESSES: u64 = 2;
/// The number of the cell's own processes in strict mode, which include the init of the run.
const OWN_PROCESSES_STRICT: u64 = 3;
/// Allowance for the memory of a run's init and namespaces in strict mode, in bytes.
const OWN_MEMORY_STRICT: u64 = 2 << 20;
/// Bound on the error of the group's memory counter, in bytes. The kernel charges memory in batches.
pub(super) const COUNTER_ERROR: u64 = 1 << 20;
/// The maximum number of times to check, every 1 ms, whether the memory of the previous run is freed.
const RECLAIM_TRIES: u32 = 100;

fn read(path: &Path) -> Result<String> {
    fs_err::read_to_string(path)
}

/// Reads an open control file from its start.
pub(super) fn reread(file: impl AsFd) -> Result<String> {
    let mut buffer = [0; 512];
    let count = rustix::io::pread(file, &mut buffer, 0)?;
    Ok(String::from_utf8_lossy(&buffer[..count]).into_owned())
}

fn number(file: &File) -> Result<u64> {
    let text = reread(file)?;
    text.trim()
        .parse()
        .map_err(|_| Error::other(format!("expected a number in `{}`, found {text:?}", file.path().display())))
}

/// Returns the number on the line `key NUMBER` of a control file.
fn field(file: &File, key: &str) -> Result<u64> {
    let text = reread(file)?;
    let found = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok());
    found.ok_or_else(|| Error::other(format!("expected a line `{key} NUMBER` in `{}`", file.path().display())))
}

fn write(path: &Path, value: impl ToString) -> Result<()> {
    use std::io::Write;
    // Unlike `fs::write`, this call neither creates nor truncates the file.
    let mut file = fs_err::OpenOptions::new().write(true).open(path)?;
    file.write_all(value.to_string().as_bytes())
}

impl CgroupHierarchy {
    /// Finds groups below which this process can create groups: version 2 if possible, otherwise version 1. `server` is
    /// the fork server of this process.
    ///
    /// # Errors
    /// Returns the reasons why no groups of either version can be created.
    pub(super) fn find(server: &ForkServer) -> std::result::Result<CgroupHierarchy, String> {
        let text = |path: &str| fs_err::read_to_string(path).map_err(|error| error.to_string());
        let (mounts, own) = (text("/proc/self/mountinfo")?, text("/proc/self/cgroup")?);
        let reasons = [CgroupHierarchy::find_v2(&mounts, &own, server), CgroupHierarchy::find_v1(&mounts, &own)];
        let mut said = Vec::new();
        for found in reasons {
            match found {
                Ok(hierarchy) => return Ok(hierarchy),
                Err(reason) => said.push(reason),
            }
        }
        Err(said.join("; "))
    }

    fn find_v2(mounts: &str, own: &str, server: &ForkServer) -> std::result::Result<CgroupHierarchy, String> {
        let (_, mount) = mounted(mounts, |kind, _| kind == "cgroup2").ok_or("cgroup v2 is not mounted")?;
        let path = own.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
        let own = mount.join(path.trim_start_matches('/'));
        let mut reasons = Vec::new();
        for parent in [own, mount] {
            match delegate(&parent, server) {
                Ok(()) => return Ok(CgroupHierarchy::V2(parent)),
                Err(error) => reasons.push(error.to_string()),
            }
        }
        reasons.dedup();
        Err(format!("cannot create a cgroup (v2): {}", reasons.join("; ")))
    }

    fn find_v1(mounts: &str, own: &str) -> std::result::Result<CgroupHierarchy, String> {
        let place = |controller: &str| -> std::result::Result<PathBuf, String> {
            let has = |list: &str| list.split(',').any(|name| name == controller);
            let none = || format!("the controller `{controller}` of cgroup v1 is not mounted");
            let (root, mount) = mounted(mounts, |kind, options| kind == "cgroup" && has(options)).ok_or_else(none)?;
            let mut lines = own.lines().map(|line| line.splitn(3, ':').collect::<Vec<_>>());
            let path = lines.find(|parts| parts.len() == 3 && has(parts[1])).map_or("/", |parts| parts[2]);
            let below = Path::new(path).strip_prefix(&root).unwrap_or(Path::new(""));
            let own = mount.join(below);
            let parent = if own.is_dir() { own } else { mount };
            match rustix::fs::access(&parent, rustix::fs::Access::WRITE_OK) {
                Ok(()) => Ok(parent),
                Err(error) => {
                    let folder = parent.display();
                    Err(format!("cannot create a cgroup (v1, controller `{controller}`) in `{folder}`: {error}"))
                }
            }
        };
        Ok(CgroupHierarchy::V1 { memory: place("memory")?, cpu: place("cpuacct")?, processes: place("pids")? })
    }

    fn below(&self, name: &str) -> CgroupHierarchy {
        match self {
            CgroupHierarchy::V2(path) => CgroupHierarchy::V2(path.join(name)),
            CgroupHierarchy::V1 { memory, cpu, processes } => {
                CgroupHierarchy::V1 { memory: memory.join(name), cpu: cpu.join(name), processes: processes.join(name) }
            }
        }
    }

    fn paths(&self) -> Vec<&Path> {
        match self {
            CgroupHierarchy::V2(path) => vec![path],
            CgroupHierarchy::V1 { memory, cpu, processes } => vec![memory, cpu, processes],
        }
    }
}

/// Returns the root and the mount point of the first mount in `mounts` (the contents of mountinfo) whose filesystem
/// type and superblock options satisfy `fits`, or `None` if there is no such mount.
fn mounted(mounts: &str, fits: impl Fn(&str, &str) -> bool) -> Option<(PathBuf, PathBuf)> {
    mounts.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let left: Vec<&str> = left.split(' ').collect();
        let right: Vec<&str> = right.split(' ').collect();
        fits(right.first()?, right.get(2)?).then(|| (PathBuf::from(left[3]), PathBuf::from(left[4])))
    })
}

/// Enables the `memory` and `pids` controllers for groups below `parent`. Fails if this process may not create groups
/// there.
fn delegate(parent: &Path, server: &ForkServer) -> Result<()> {
    let offered = read(&parent.join("cgroup.controllers"))?;
    let lacks = |list: &str, name: &str| !list.split_ascii_whitespace().any(|word| word == name);
    for name in ["memory", "pids"] {
        if lacks(&offered, name) {
            return Err(Error::other(format!("`{}` has no `{name}` controller", parent.display())));
        }
    }
    rustix::fs::access(parent, rustix::fs::Access::WRITE_OK)
        .map_err(|error| Error::new(error.kind(), format!("cannot write to `{}`: {error}", parent.display())))?;
    let control = parent.join("cgroup.subtree_control");
    let given = read(&control)?;
    if lacks(&given, "memory") || lacks(&given, "pids") {
        // A group that contains processes cannot enable controllers for its children. If the group contains only this
        // process and its fork server, they are moved to a child group.
        let inside = read(&parent.join("cgroup.procs"))?;
        let own: Vec<String> = server.id().into_iter().chain([std::process::id()]).map(|id| id.to_string()).collect();
        if !inside.is_empty() && inside.lines().all(|id| own.iter().any(|own| own == id)) {
            let aside = parent.join("nimatron-judge");
            if !aside.exists() {
                fs_err::create_dir(&aside)?;
            }
            inside.lines().try_for_each(|id| write(&aside.join("cgroup.procs"), id))?;
        }
        write(&control, "+memory +pids").map_err(|error| match error.kind() {
            std::io::ErrorKind::ResourceBusy => Error::other(format!(
                "`{}` contains other processes; run `systemd-run --user --scope -p Delegate=yes nimatron ...` to get a \
                 delegated group",
                parent.display()
            )),
            _ => error,
        })?;
    }
    Ok(())
}

impl Cgroup {
    /// Creates the group of a cell.
    pub(super) fn new(hierarchy: &CgroupHierarchy, temp_dir: &TempDirs, strict: bool) -> Result<Cgroup> {
        let hierarchy = hierarchy.below(&temp_dir.unique_name());
        // The guard removes the group if a later step fails.
        let made = RemoveOnDrop(&hierarchy);
        for path in hierarchy.paths() {
            temp_dir.record_cgroup(path)?;
            fs_err::create_dir(path)?;
        }
        match &hierarchy {
            // Swap is disabled, because swapped pages do not count towards the limit. The file is absent if the kernel
            // does not account for swap.
            CgroupHierarchy::V2(path) => _ = write(&path.join("memory.swap.max"), 0),
            CgroupHierarchy::V1 { memory, .. } => _ = write(&memory.join("memory.swappiness"), 0),
        }
        let files = CgroupFiles::open(&hierarchy)?;
        std::mem::forget(made);
        Ok(Cgroup {
            hierarchy,
            files,
            strict,
            memory_limit: None,
            process_limit: None,
            baseline: 0,
            before_run: 0,
            file_bytes: 0,
            before: EventCounts::default(),
        })
    }

    /// Returns the directory in which a process can be forked into the group, for version 2.
    pub(super) fn directory(&self) -> Result<Option<OwnedFd>> {
        match &self.hierarchy {
            CgroupHierarchy::V2(path) => Ok(Some(std::fs::File::from(File::open(path)?).into())),
            CgroupHierarchy::V1 { .. } => Ok(None),
        }
    }

    /// Moves a process into the group, or returns the files with which the process itself must call [`join`]. Future
    /// children of the process inherit the group.
    ///
    /// Before it moves a process, the kernel waits until every CPU has passed a quiescent state, which takes about 10
    /// ms. A thread that moves itself does not wait, but version 2 allows this only between threaded groups. There, a
    /// process that is forked into the group need not be moved; see [`Cgroup::directory`].
    pub(super) fn adopt(&self, pid: u32) -> Result<Vec<OwnedFd>> {
        match &self.hierarchy {
            CgroupHierarchy::V2(path) => write(&path.join("cgroup.procs"), pid).map(|()| Vec::new()),
            CgroupHierarchy::V1 { .. } => {
                let open = |path: &Path| File::options().write(true).open(path.join("tasks"));
                let files = self.hierarchy.paths().into_iter().map(open);
                files.map(|file| Ok(std::fs::File::from(file?).into())).collect()
            }
        }
    }

    /// Opens the group's counters for the cell: the CPU time, the memory use and, if the kernel has it, the peak of the
    /// memory use. Also returns the kind of the last one.
    pub(super) fn counters(&self) -> Result<(Vec<OwnedFd>, Option<PeakCounter>)> {
        let (path, peak) = match &self.hierarchy {
            CgroupHierarchy::V2(path) => (path.join("cpu.stat"), PeakCounter::Permanent),
            CgroupHierarchy::V1 { cpu, .. } => (cpu.join("cpuacct.usage"), PeakCounter::Resettable),
        };
        let mut counters = vec![std::fs::File::from(File::open(path)?).into()];
        for file in [Some(&self.files.used), self.files.peak.as_ref()].into_iter().flatten() {
            counters.push(file.file().try_clone()?.into());
        }
        Ok((counters, self.files.peak.is_some().then_some(peak)))
    }

    /// Records the current memory use and counters of the cell, in which no program runs yet, as the baseline. Fails if
    /// the cell is not in the group.
    pub(super) fn record_baseline(&mut self) -> Result<()> {
        for path in self.hierarchy.paths() {
            if read(&path.join("cgroup.procs"))?.is_empty() {
                return Err(Error::other(format!("the cell did not join `{}`", path.display())));
            }
        }
        self.baseline = number(&self.files.used)?;
        self.before_run = self.baseline;
        self.before = self.read_events()?;
        Ok(())
    }

    /// Waits until the memory of the previous run is freed. Returns false if it is not freed after [`RECLAIM_TRIES`]
    /// checks.
    ///
    /// The kernel frees some memory, such as that of sockets in flight through other sockets, asynchronously after
    /// all processes have ended. The next program must not be killed because of the previous program's memory.
    pub(super) fn wait_for_reclaim(&mut self) -> Result<bool> {
        for _ in 0..RECLAIM_TRIES {
            let used = number(&self.files.used)?;
            // The page cache is not counted, since the kernel drops it as soon as a program needs the memory.
            if used <= self.before_run + COUNTER_ERROR
                || used <= self.baseline + COUNTER_ERROR + self.page_cache_bytes()?
            {
                self.before_run = used;
                return Ok(true);
            }
            self.reclaim();
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(false)
    }

    fn page_cache_bytes(&self) -> Result<u64> {
        let (CgroupHierarchy::V2(memory) | CgroupHierarchy::V1 { memory, .. }) = &self.hierarchy;
        let stat = read(&memory.join("memory.stat"))?;
        let kept = stat.lines().filter_map(|line| line.split_once(' '));
        Ok(kept
            .filter(|(key, _)| matches!(*key, "active_file" | "inactive_file"))
            .flat_map(|(_, n)| n.parse::<u64>())
            .sum())
    }

    /// Requests that the kernel reclaim memory of the group. Errors are ignored, since their only effect is a longer
    /// wait.
    fn reclaim(&self) {
        _ = match &self.hierarchy {
            CgroupHierarchy::V2(path) => {
                write(&path.join("memory.reclaim"), self.memory_limit.unwrap_or(COUNTER_ERROR))
            }
            CgroupHierarchy::V1 { memory, .. } => write(&memory.join("memory.force_empty"), 0),
        };
    }

    fn read_events(&self) -> Result<EventCounts> {
        Ok(EventCounts { killed: field(&self.files.killed, "oom_kill")?, refused: field(&self.files.refused, "max")? })
    }

    /// Sets the limits for a run. The limits are increased by the memory use and the number of processes of the cell
    /// itself, and by `file_bytes`, the memory of the files that the cell creates and the program may not change.
    /// [`Cgroup::wait_for_reclaim`] must be called first.
    pub(super) fn begin_run(&mut self, memory_bytes: u64, file_bytes: u64, processes: u64) -> Result<()> {
        self.file_bytes = file_bytes;
        let (own_memory, own_processes) =
            if self.strict { (OWN_MEMORY_STRICT, OWN_PROCESSES_STRICT) } else { (0, OWN_PROCESSES) };
        let own_memory = (self.baseline + own_memory).saturating_add(file_bytes);
        let limit = memory_bytes.saturating_add(own_memory).min(i64::MAX as u64 / 2);
        if self.memory_limit != Some(limit) {
            self.set_memory(limit)?;
            self.memory_limit = Some(limit);
        }
        let most = processes.saturating_add(own_processes);
        if self.process_limit != Some(most) {
            let path = match &self.hierarchy {
                CgroupHierarchy::V2(path) => path,
                CgroupHierarchy::V1 { processes, .. } => processes,
            };
            write(&path.join("pids.max"), most)?;
            self.process_limit = Some(most);
        }
        Ok(())
    }

    fn set_memory(&self, limit: u64) -> Result<()> {
        match &self.hierarchy {
            CgroupHierarchy::V2(path) => write(&path.join("memory.max"), limit),
            CgroupHierarchy::V1 { memory, .. } => {
                let (plain, swap) = (memory.join("memory.limit_in_bytes"), memory.join("memory.memsw.limit_in_bytes"));
                // The limit of memory and swap together must never be below the limit of memory, not even between
                // the two writes.
                if swap.exists() && self.memory_limit.is_none_or(|old| limit > old) {
                    _ = write(&swap, limit);
                }
                write(&plain, limit)?;
                if swap.exists() { write(&swap, limit) } else { Ok(()) }
            }
        }
    }

    /// Returns the peak memory use and the counts of events since [`Cgroup::begin_run`]. `memory` are the counts of the
    /// cell; `None` if it was killed. `resident` is the largest resident set in bytes.
    pub(super) fn end_run(&mut self, memory: Option<MemoryCounts>, resident: u64) -> Result<CgroupCounts> {
        let memory = match memory {
            Some(memory) => memory,
            None => {
                let peak = self.files.peak.as_ref().map_or(Ok(0), number)?;
                MemoryCounts { before: self.before_run, peak_before: 0, peak }
            }
        };
        let (before, after) = (self.before, self.read_events()?);
        self.before = after;
        Ok(CgroupCounts {
            peak: self.peak(memory, resident),
            killed: after.killed.saturating_sub(before.killed),
            refused: after.refused.saturating_sub(before.refused),
        })
    }

    /// Returns the peak memory use of a queued run, in which no events occurred. See [`Cgroup::end_run`].
    pub(super) fn end_queued_run(&mut self, memory: MemoryCounts, resident: u64) -> CgroupCounts {
        self.before_run = memory.before;
        CgroupCounts { peak: self.peak(memory, resident), ..CgroupCounts::default() }
    }

    /// Returns whether events occurred since the last call, the end of the last run or the creation of the group.
    pub(super) fn had_events(&mut self) -> Result<bool> {
        let after = self.read_events()?;
        Ok(std::mem::replace(&mut self.before, after) != after)
    }

    /// Returns the peak memory use of a run. Kernels before Linux 6.12 cannot reset the peak counter of version 2. If the
    /// run did not raise this counter, the peak is `resident`.
    fn peak(&self, memory: MemoryCounts, resident: u64) -> u64 {
        let own = memory.before.saturating_add(self.file_bytes);
        match self.hierarchy {
            CgroupHierarchy::V2(_) if memory.peak <= memory.peak_before => resident,
            CgroupHierarchy::V1 { .. } | CgroupHierarchy::V2(_) => memory.peak.saturating_sub(own),
        }
    }
}

impl CgroupFiles {
    fn open(hierarchy: &CgroupHierarchy) -> Result<CgroupFiles> {
        let open = |dir: &Path, name: &str| File::open(dir.join(name));
        match hierarchy {
            CgroupHierarchy::V2(path) => Ok(CgroupFiles {
                used: open(path, "memory.current")?,
                // This file exists only in Linux 5.19 and later.
                peak: open(path, "memory.peak").ok(),
                killed: open(path, "memory.events")?,
                refused: open(path, "pids.events")?,
            }),
            CgroupHierarchy::V1 { memory, processes, .. } => Ok(CgroupFiles {
                used: open(memory, "memory.usage_in_bytes")?,
                peak: Some(
                    fs_err::OpenOptions::new().read(true).write(true).open(memory.join("memory.max_usage_in_bytes"))?,
                ),
                killed: open(memory, "memory.oom_control")?,
                refused: open(processes, "pids.events")?,
            }),
        }
    }
}

/// A guard that removes the groups of a hierarchy when it is dropped.
struct RemoveOnDrop<'a>(&'a CgroupHierarchy);

impl Drop for RemoveOnDrop<'_> {
    fn drop(&mut self) {
        for path in self.0.paths() {
            remove_path(path);
        }
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        drop(RemoveOnDrop(&self.hierarchy));
    }
}

/// Moves the calling thread into the group whose files [`Cgroup::adopt`] returned. The thread must be the only thread
/// of its process.
pub(super) fn join(files: &[OwnedFd]) -> Result<()> {
    files.iter().try_for_each(|file| Ok(rustix::io::write(file, b"0").map(|_| ())?))
}

/// Kills all processes of a control group except the calling process, and removes the group. Returns true if the group
/// no longer exists.
pub(super) fn remove_path(group: &Path) -> bool {
    /// Timeout for the exit of killed processes. A process needs a CPU to exit, and may wait long for it on a busy
    /// machine.
    const KILL_TIMEOUT: Duration = Duration::from_secs(10);
    let deadline = Instant::now() + KILL_TIMEOUT;
    loop {
        // `remove_dir` succeeds for a control group despite its files, and fails for any other non-empty directory.
        match std::fs::remove_dir(group) {
            Ok(()) => return true,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return true,
            Err(_) => {}
        }
        let Ok(members) = read(&group.join("cgroup.procs")) else { return false };
        let others = members.lines().filter_map(|pid| pid.parse().ok()).filter(|pid| *pid != std::process::id() as i32);
        for pid in others.filter(|pid| *pid > 0) {
            sys::send_signal(pid, libc::SIGKILL);
        }
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
24 1 0:22 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
25 1 0:23 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
26 1 0:24 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate
";

    #[test]
    fn mounts_are_found_by_type_and_controller() {
        let cpu = mounted(MOUNTS, |kind, options| kind == "cgroup" && options.split(',').any(|name| name == "cpuacct"));
        assert_eq!(cpu, Some(("/".into(), "/sys/fs/cgroup/cpu,cpuacct".into())));
        let two = mounted(MOUNTS, |kind, _| kind == "cgroup2");
        assert_eq!(two, Some(("/".into(), "/sys/fs/cgroup/unified".into())));
        assert_eq!(mounted(MOUNTS, |kind, _| kind == "ext4"), None);
    }

    #[test]
    fn numbers_and_fields_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("events");
        fs_err::write(&path, "low 1\noom 2\noom_kill 3\n").unwrap();
        let path = File::open(path).unwrap();
        assert_eq!(field(&path, "oom_kill").unwrap(), 3);
        assert_eq!(field(&path, "oom").unwrap(), 2);
        assert!(field(&path, "max").is_err());
        assert!(number(&path).is_err());
    }

    #[test]
    fn other_directories_are_not_removed() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join("precious"), "").unwrap();
        assert!(!remove_path(dir.path()));
        assert!(dir.path().join("precious").exists());
    }
}
