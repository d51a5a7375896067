//! The bodies of the frames between judge and cell, and their encoding: setup, request and reply.

use std::ffi::{OsStr, OsString};
use std::io::Result;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::wire::{BodyReader, BodyWriter};

/// The configuration of a cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CellSetup {
    /// The path of the private working directory, as programs see it.
    pub(super) private_dir: PathBuf,
    /// Whether the cell has its own namespaces and root filesystem.
    pub(super) namespaced: bool,
    /// Whether each run has its own init process, its own PID and IPC namespaces, and its own scratch space.
    pub(super) strict: bool,
    /// Whether the cell installs the system call filter.
    pub(super) filter: bool,
    /// Whether the cell restricts programs by Landlock.
    pub(super) landlock: bool,
    /// Whether programs drop all capabilities.
    pub(super) drop_capabilities: bool,
    /// The slot of the worker that uses the cell.
    pub(super) slot: u64,
    /// The numbers of the CPUs that the cell may use.
    pub(super) processors: Vec<u64>,
    /// The mounts in addition to the system paths. Each pair consists of a path and whether it is writable.
    pub(super) mounts: Vec<(PathBuf, bool)>,
    /// The size of the scratch space of a cell with its own namespaces, in bytes.
    pub(super) scratch: u64,
    /// Whether the cell has a control group. The setup frame then carries the counters of the group: the CPU time, the
    /// memory use and, if `peak` is set, the peak of the memory use. The first descriptor of the frame is always the
    /// control socket, and the last ones are files through which the cell joins the group.
    pub(super) counter: bool,
    /// Whether there is a counter of the peak of the memory use, and whether it can be reset. The start of the cell's
    /// process determines the value.
    pub(super) peak: Option<PeakCounter>,
    /// Whether executed instructions are counted.
    pub(super) instructions: bool,
}

/// A counter of the peak of the memory use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeakCounter {
    /// The counter states the peak since the group was created.
    Permanent = 1,
    /// The counter is reset at the start of a run.
    Resettable = 2,
}

/// The request to run a program. The frame carries the descriptors of the program: standard input, output and error,
/// then the additional pipe ends. If there are files, a last descriptor is a file with their contents, one after another.
/// The contents are not in the body, since the memory of the cell counts towards the memory limit of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RunRequest {
    pub(super) argv: Vec<OsString>,
    /// The environment, as `NAME=value`.
    pub(super) env: Vec<OsString>,
    /// The working directory; `None` for the private working directory.
    pub(super) dir: Option<PathBuf>,
    /// The files to create in the private working directory.
    pub(super) files: Vec<RequestFile>,
    /// Whether the files at the top level of the private working directory are sent before the reply.
    pub(super) take_files: bool,
    pub(super) cpu_micros: u64,
    /// The CPU time at which the program is stopped unless other processes disturbed the run; `None` for no such time.
    pub(super) early_micros: Option<u64>,
    pub(super) wall_micros: u64,
    pub(super) memory: u64,
    pub(super) output: u64,
    pub(super) processes: u64,
    /// The maximum size of the address space of a process, in bytes; `u64::MAX` for no limit.
    pub(super) address_space: u64,
    /// Whether the program contains the start hook, so that the cell may prestart it.
    pub(super) prestart: bool,
    /// Whether the run is queued, so that another request may follow before the reply. The reply may then be sent
    /// together with those to other requests.
    pub(super) queued: bool,
    /// Whether the program is run only if the run of the previous request was plain; see
    /// [`Cell::enqueue`](super::Cell::enqueue).
    pub(super) after_plain: bool,
}

/// A file that the cell creates for a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequestFile {
    pub(super) path: OsString,
    /// The size in bytes.
    pub(super) size: u64,
    /// Whether the file does not belong to the program's user.
    pub(super) read_only: bool,
}

/// The reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum StopReason {
    /// The program exited before it was stopped.
    #[default]
    Exited,
    /// The CPU limit was exceeded.
    Cpu,
    /// The extended wall limit was exceeded, and no thread was runnable when it was reached.
    Wall,
    /// The extended wall limit was exceeded, and a thread was runnable when it was reached.
    WallRunnable,
    /// Polling found that the memory limit was exceeded.
    Memory,
    /// The judge sent a stop frame.
    Judge,
    /// Polling found that the process limit was exceeded.
    Processes,
}

/// The memory use of a cell's control group in a run, in bytes. It includes the memory of the cell itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MemoryCounts {
    /// The memory use before the run.
    pub(super) before: u64,
    /// The value of the counter of the peak before the run; 0 if it was reset, or if there is no such counter.
    pub(super) peak_before: u64,
    /// The value of the counter of the peak after the run; 0 if there is no such counter.
    pub(super) peak: u64,
}

/// The result of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RunReply {
    /// If the program could not be started, the code of the step that failed and its `errno`.
    pub(super) failure: Option<(u64, i32)>,
    /// The wait status of the program.
    pub(super) status: i32,
    pub(super) stopped: StopReason,
    pub(super) cpu_micros: u64,
    pub(super) wall_micros: u64,
    /// The longest time that a thread was runnable without a CPU, in microseconds; 0 if the program exited before its
    /// wall limit.
    pub(super) run_delay_micros: u64,
    /// The largest resident set of any process, in bytes.
    pub(super) resident: u64,
    /// The number of instructions executed by all processes, if they were counted.
    pub(super) instructions: Option<u64>,
    /// The memory use of the control group; `None` without a control group.
    pub(super) memory: Option<MemoryCounts>,
    /// The number of processes of the run that the cell reaped.
    pub(super) processes: u64,
    /// The size of the files that the program left in the scratch space, in bytes.
    pub(super) files: u64,
    /// An error after which the cell must not be used again; `None` if there was none.
    pub(super) cell_error: Option<String>,
}

fn put_path(to: &mut BodyWriter, path: &OsStr) {
    to.bytes(path.as_bytes());
}

fn get_path(from: &mut BodyReader<'_>) -> Result<OsString> {
    from.bytes().map(OsString::from_vec)
}

fn put_option(to: &mut BodyWriter, value: Option<u64>) {
    to.word(u64::from(value.is_some()));
    to.word(value.unwrap_or(0));
}

fn get_option(from: &mut BodyReader<'_>) -> Result<Option<u64>> {
    let (some, value) = (from.word()? != 0, from.word()?);
    Ok(some.then_some(value))
}

impl CellSetup {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut to = BodyWriter::default();
        put_path(&mut to, self.private_dir.as_os_str());
        let CellSetup { namespaced, strict, filter, landlock, drop_capabilities, counter, instructions, .. } = *self;
        for flag in [namespaced, strict, filter, landlock, drop_capabilities, counter, instructions] {
            to.word(u64::from(flag));
        }
        to.word(self.slot);
        to.words(&self.processors);
        to.word(self.mounts.len() as u64);
        for (path, writable) in &self.mounts {
            put_path(&mut to, path.as_os_str());
            to.word(u64::from(*writable));
        }
        to.word(self.scratch);
        to.word(self.peak.map_or(0, |peak| peak as u64));
        to.0
    }

    pub(super) fn decode(body: &[u8]) -> Result<CellSetup> {
        let from = &mut BodyReader(body);
        let private_dir = get_path(from)?.into();
        let mut flag = || from.word().map(|word| word != 0);
        let (namespaced, strict, filter, landlock) = (flag()?, flag()?, flag()?, flag()?);
        let (drop_capabilities, counter, instructions) = (flag()?, flag()?, flag()?);
        Ok(CellSetup {
            private_dir,
            namespaced,
            strict,
            filter,
            landlock,
            drop_capabilities,
            counter,
            instructions,
            slot: from.word()?,
            processors: from.list(BodyReader::word)?,
            mounts: from.list(|from| Ok((get_path(from)?.into(), from.word()? != 0)))?,
            scratch: from.word()?,
            peak: match from.word()? {
                1 => Some(PeakCounter::Permanent),
                2 => Some(PeakCounter::Resettable),
                _ => None,
            },
        })
    }
}

impl RunRequest {
    /// Returns whether both requests execute the same program in the same way. They may differ in the descriptors and the
    /// files, and in the limits that only the cell enforces.
    pub(super) fn starts_like(&self, other: &RunRequest) -> bool {
        let limits = |request: &RunRequest| {
            let RunRequest { cpu_micros, memory, output, processes, address_space, .. } = *request;
            [cpu_micros, memory, output, processes, address_space]
        };
        self.prestart == other.prestart
            && self.argv == other.argv
            && self.env == other.env
            && self.dir == other.dir
            && limits(self) == limits(other)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut to = BodyWriter::default();
        for list in [&self.argv, &self.env] {
            to.word(list.len() as u64);
            list.iter().for_each(|text| put_path(&mut to, text));
        }
        to.word(u64::from(self.dir.is_some()));
        put_path(&mut to, self.dir.as_deref().map_or(OsStr::new(""), |dir| dir.as_os_str()));
        to.word(self.files.len() as u64);
        for RequestFile { path, size, read_only } in &self.files {
            put_path(&mut to, path);
            to.word(*size);
            to.word(u64::from(*read_only));
        }
        to.word(u64::from(self.take_files));
        for word in [self.cpu_micros, self.wall_micros, self.memory, self.output, self.processes, self.address_space] {
            to.word(word);
        }
        put_option(&mut to, self.early_micros);
        to.word(u64::from(self.prestart));
        to.word(u64::from(self.queued));
        to.word(u64::from(self.after_plain));
        to.0
    }

    pub(super) fn decode(body: &[u8]) -> Result<RunRequest> {
        let from = &mut BodyReader(body);
        let (argv, env) = (from.list(get_path)?, from.list(get_path)?);
        let (has_dir, dir) = (from.word()? != 0, get_path(from)?);
        Ok(RunRequest {
            argv,
            env,
            dir: has_dir.then(|| dir.into()),
            files: from.list(|from| {
                Ok(RequestFile { path: get_path(from)?, size: from.word()?, read_only: from.word()? != 0 })
            })?,
            take_files: from.word()? != 0,
            cpu_micros: from.word()?,
            wall_micros: from.word()?,
            memory: from.word()?,
            output: from.word()?,
            processes: from.word()?,
            address_space: from.word()?,
            early_micros: get_option(from)?,
            prestart: from.word()? != 0,
            queued: from.word()? != 0,
            after_plain: from.word()? != 0,
        })
    }
}

impl RunReply {
    fn put(&self, to: &mut BodyWriter) {
        put_option(to, self.failure.map(|(step, _)| step));
        to.word(self.failure.map_or(0, |(_, error)| error as u64));
        to.word(self.status as u64);
        to.word(self.stopped as u64);
        for word in
            [self.cpu_micros, self.wall_micros, self.run_delay_micros, self.resident, self.processes, self.files]
        {
            to.word(word);
        }
        put_option(to, self.memory.map(|memory| memory.before));
        to.word(self.memory.map_or(0, |memory| memory.peak_before));
        to.word(self.memory.map_or(0, |memory| memory.peak));
        put_option(to, self.instructions);
        to.word(u64::from(self.cell_error.is_some()));
        to.bytes(self.cell_error.as_deref().unwrap_or("").as_bytes());
    }

    fn get(from: &mut BodyReader<'_>) -> Result<RunReply> {
        let (step, error) = (get_option(from)?, from.word()? as i32);
        let (status, stopped) = (from.word()? as i32, from.word()?);
        use StopReason::{Cpu, Exited, Judge, Memory, Processes, Wall, WallRunnable};
        let all = [Exited, Cpu, Wall, WallRunnable, Memory, Judge, Processes];
        let mut reply = RunReply {
            failure: step.map(|step| (step, error)),
            status,
            stopped: all.into_iter().find(|known| *known as u64 == stopped).unwrap_or_default(),
            cpu_micros: from.word()?,
            wall_micros: from.word()?,
            run_delay_micros: from.word()?,
            resident: from.word()?,
            processes: from.word()?,
            files: from.word()?,
            ..RunReply::default()
        };
        let (before, peak_before, peak) = (get_option(from)?, from.word()?, from.word()?);
        reply.memory = before.map(|before| MemoryCounts { before, peak_before, peak });
        reply.instructions = get_option(from)?;
        let has_cell_error = from.word()? != 0;
        let cell_error = String::from_utf8_lossy(&from.bytes()?).into_owned();
        reply.cell_error = has_cell_error.then_some(cell_error);
        Ok(reply)
    }
}

/// The body of a `Reply` frame: the results of consecutive requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Replies(pub(super) Vec<NumberedReply>);

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberedReply {
    /// The number of the request.
    pub(super) number: u64,
    /// The result of the run; `None` if the program was not run. See [`RunRequest::after_plain`].
    pub(super) run: Option<RunReply>,
}

impl Replies {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut to = BodyWriter::default();
        to.word(self.0.len() as u64);
        for NumberedReply { number, run } in &self.0 {
            to.word(*number);
            to.word(u64::from(run.is_some()));
            run.iter().for_each(|run| run.put(&mut to));
        }
        to.0
    }

    pub(super) fn decode(body: &[u8]) -> Result<Replies> {
        let reply = |from: &mut BodyReader<'_>| {
            let (number, was_run) = (from.word()?, from.word()? != 0);
            Ok(NumberedReply { number, run: was_run.then(|| RunReply::get(from)).transpose()? })
        };
        BodyReader(body).list(reply).map(Replies)
    }
}

/// The body of a `FilePart` frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FilePart {
    /// The name of the file.
    pub(super) name: OsString,
    /// The bytes that follow those of the previous part of the same file.
    pub(super) content: Vec<u8>,
}

impl FilePart {
    pub(super) fn encode(name: &OsStr, content: &[u8]) -> Vec<u8> {
        let mut to = BodyWriter::default();
        put_path(&mut to, name);
        to.bytes(content);
        to.0
    }

    pub(super) fn decode(body: &[u8]) -> Result<FilePart> {
        let from = &mut BodyReader(body);
        Ok(FilePart { name: get_path(from)?, content: from.bytes()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = OsString> {
        proptest::collection::vec(any::<u8>(), 0..9).prop_map(OsString::from_vec)
    }

    proptest! {
        #[test]
        fn requests_round_trip(
            argv in proptest::collection::vec(text(), 0..4),
            env in proptest::collection::vec(text(), 0..4),
            dir in proptest::option::of(text()),
            files in proptest::collection::vec((text(), any::<u64>(), any::<bool>()), 0..3),
            numbers in any::<[u64; 6]>(),
            flags in any::<[bool; 4]>(),
            early_micros in any::<Option<u64>>(),
        ) {
            let [take_files, prestart, queued, after_plain] = flags;
            let [cpu_micros, wall_micros, memory, output, processes, address_space] = numbers;
            let files = files.into_iter().map(|(path, size, read_only)| RequestFile { path, size, read_only }).collect();
            let request = RunRequest {
                argv, env, dir: dir.map(PathBuf::from), files, take_files, cpu_micros,
                early_micros, wall_micros, memory, output, processes, address_space, prestart, queued, after_plain,
            };
            prop_assert_eq!(RunRequest::decode(&request.encode()).unwrap(), request);
        }

        #[test]
        fn replies_round_trip(numbers in any::<[u64; 8]>(), status in any::<i32>(), cell_error in any::<Option<String>>(),
            failure in any::<Option<(u64, i32)>>(), instructions in any::<Option<u64>>()) {
            let [cpu_micros, wall_micros, run_delay_micros, resident, files, processes, before, peak] = numbers;
            let (stopped, memory) = (StopReason::Memory, instructions.map(|_| MemoryCounts { before, peak_before: files, peak }));
            let run = RunReply {
                failure, status, stopped, cpu_micros, wall_micros, run_delay_micros, resident, memory, processes,
                instructions, files, cell_error,
            };
            let replies = [Some(run), None].map(|run| NumberedReply { number: before, run });
            let replies = Replies(replies.to_vec());
            prop_assert_eq!(Replies::decode(&replies.encode()).unwrap(), replies);
        }

        #[test]
        fn file_parts_round_trip(name in text(), content in proptest::collection::vec(any::<u8>(), 0..20)) {
            let part = FilePart::decode(&FilePart::encode(&name, &content)).unwrap();
            prop_assert_eq!(part, FilePart { name, content });
        }

        #[test]
        fn decoding_garbage_does_not_panic(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = RunRequest::decode(&body);
            let _ = Replies::decode(&body);
            let _ = FilePart::decode(&body);
            let _ = CellSetup::decode(&body);
        }
    }

    #[test]
    fn setups_round_trip() {
        let setup = CellSetup {
            private_dir: "/box".into(),
            namespaced: true,
            strict: true,
            filter: true,
            landlock: false,
            drop_capabilities: true,
            slot: 6,
            processors: vec![0, 3],
            mounts: vec![("/opt/x".into(), false), ("/work/y".into(), true)],
            scratch: 5,
            counter: true,
            peak: Some(PeakCounter::Resettable),
            instructions: true,
        };
        assert_eq!(CellSetup::decode(&setup.encode()).unwrap(), setup);
    }
}
