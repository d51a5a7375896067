//! Writes a run as text to a terminal or, line by line, to a pipe.

use std::io::{self, Write};

use super::reporter::Reporter;
use super::screen::{Detail, RunLayout, Screen, Tally};
use crate::model::{Event, EventKind, FaultKind};

/// Maximum number of cases of a run whose accepted cases are also shown individually.
const FEW: usize = 12;
/// Maximum number of failed cases shown per group, unless every case is requested. The list is short, so that the list
/// and the explanation of the first failure, which follows it, do not push the summary out of the terminal.
const FAILURES: usize = 3;
/// Maximum number of failed cases shown per run, unless every case is requested.
const ALL_FAILURES: usize = 8;

/// A reporter that writes the lines of a [`Screen`], filtered by a [`Detail`].
pub struct Terminal<W> {
    writer: W,
    screen: Screen,
    detail: Detail,
    layout: RunLayout,
    columns: bool,
    tally: Tally,
    failed: usize,
    /// The number of failed cases that were shown in all groups so far.
    shown: usize,
    /// The number of failed cases of the current group that were shown.
    shown_in_group: usize,
    /// The number of skipped cases of the current group.
    skipped: usize,
    /// The reason for skipping the last skipped case of the current group.
    reason: String,
    /// Whether a case of the current group was cancelled.
    stopped: bool,
}

impl<W: Write> Terminal<W> {
    /// Creates a reporter that writes to `writer`.
    pub fn new(writer: W, screen: Screen, detail: Detail) -> Terminal<W> {
        Terminal {
            writer,
            screen,
            detail,
            layout: RunLayout::default(),
            columns: false,
            tally: Tally::default(),
            failed: 0,
            shown: 0,
            shown_in_group: 0,
            skipped: 0,
            reason: String::new(),
            stopped: false,
        }
    }

    /// Sets the layout of the lines of the run.
    #[must_use]
    pub fn with_layout(self, layout: RunLayout) -> Terminal<W> {
        Terminal { layout, ..self }
    }

    fn text(&mut self, event: &Event) -> String {
        if self.detail == Detail::Quiet {
            return match event.kind {
                EventKind::RunFinished(_) => self.screen.render(event, self.layout),
                _ => String::new(),
            };
        }
        match &event.kind {
            EventKind::RunStarted { cases, .. } => {
                if self.detail == Detail::Failures && *cases <= FEW {
                    self.detail = Detail::Every;
                }
                self.screen.render(event, self.layout)
            }
            EventKind::CaseFinished(result) => {
                self.tally.add(result);
                let accepted = result.verdict.accepted();
                self.failed += usize::from(!accepted);
                let few = self.failed <= FAILURES && self.shown < ALL_FAILURES;
                let shown = self.detail == Detail::Every || !accepted && few;
                self.shown += usize::from(shown && !accepted);
                self.shown_in_group += usize::from(shown && !accepted);
                if shown { self.with_columns(event) } else { String::new() }
            }
            EventKind::CaseSkipped { reason, .. } if self.detail == Detail::Failures => {
                self.skipped += 1;
                self.reason.clone_from(reason);
                String::new()
            }
            // Cancelled cases are not shown individually; the summary counts them.
            EventKind::CaseFaulted { fault, .. } if fault.kind == FaultKind::Cancelled => {
                self.stopped = true;
                String::new()
            }
            EventKind::CaseSkipped { .. } | EventKind::CaseFaulted { .. } => self.with_columns(event),
            EventKind::GroupFinished(group) if self.detail == Detail::Failures => {
                let more = self.failed.saturating_sub(std::mem::take(&mut self.shown_in_group));
                let (tally, _) = (std::mem::take(&mut self.tally), std::mem::take(&mut self.failed));
                if std::mem::take(&mut self.stopped) && tally.cases == 0 {
                    return String::new();
                }
                let remark = match more {
                    0 => String::new(),
                    1 => self.screen.remark("… and 1 more failed case"),
                    more => self.screen.remark(&format!("… and {more} more failed cases")),
                };
                let columns = self.columns_once();
                let skipped = match std::mem::take(&mut self.skipped) {
                    0 => None,
                    count => Some((count, std::mem::take(&mut self.reason))),
                };
                format!("{remark}{columns}{}", self.screen.group(group, self.layout, &tally, skipped))
            }
            EventKind::RunFinished(_) => format!("\n{}", self.screen.render(event, self.layout)),
            _ => self.screen.render(event, self.layout),
        }
    }

    fn with_columns(&mut self, event: &Event) -> String {
        self.columns_once() + &self.screen.render(event, self.layout)
    }

    fn columns_once(&mut self) -> String {
        if std::mem::replace(&mut self.columns, true) { String::new() } else { self.screen.columns(self.layout) }
    }
}

impl<W: Write> Reporter for Terminal<W> {
    fn emit(&mut self, event: &Event) -> io::Result<()> {
        let text = self.text(event);
        if text.is_empty() {
            return Ok(());
        }
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::model::{ByteSize, Limits, TimeSpan};
    use crate::{Theme, samples, text};

    fn limits() -> Limits {
        Limits {
            cpu: TimeSpan::seconds(1),
            wall: TimeSpan::seconds(3),
            memory: ByteSize::mib(256),
            output: ByteSize::mib(64),
            processes: 64,
        }
    }

    fn shown(events: &[Event], detail: Detail, width: usize, theme: Theme) -> String {
        let mut written = Vec::new();
        let mut terminal = Terminal::new(&mut written, Screen { theme, width, limits: Some(limits()) }, detail);
        for event in events {
            terminal.emit(event).unwrap();
        }
        terminal.finish().unwrap();
        String::from_utf8(written).unwrap()
    }

    fn plain(events: &[Event], detail: Detail, width: usize) -> String {
        let text = shown(events, detail, width, Theme::plain());
        assert!(!text.contains('\x1b'));
        for line in text.lines().filter(|line| !line.contains("error:")) {
            assert!(text::width(line) <= width, "wider than {width}: {line}");
        }
        text
    }

    #[test]
    fn accepted() {
        assert_snapshot!(plain(&samples::accepted(), Detail::Failures, 100), @r"
        classic-nim · xor.cpp (cpp) · 3 cases · isolation A
        compiled in 612 ms
             case              cpu     wall     memory
        AC   tiny/001      1.23 ms  2.35 ms    1.4 MiB
        AC   tiny/002      1.23 ms  2.35 ms    1.4 MiB
        AC   large/001      431 ms   440 ms    3.4 MiB

        AC   accepted · 3 of 3 cases
             slowest large/001, 431 ms of 1 s · memory 3.4 MiB of 256 MiB
        ");
    }

    #[test]
    fn failing_in_100_columns() {
        assert_snapshot!(plain(&samples::failing(), Detail::Every, 100), @r"
        classic-nim · guess.py (python) · 6 cases · isolation A
        already compiled
             case              cpu     wall     memory
        AC   tiny/001      1.23 ms  2.35 ms    1.4 MiB
        WA   tiny/002      1.23 ms  2.35 ms    1.4 MiB  token 2: expected `No`, found `Yes`
             tiny: WA, 0 of 20 points
        RTE  random/001    1.23 ms  2.35 ms    1.4 MiB
             SIGSEGV (segmentation fault: invalid memory access or stack overflow)
        PT   random/002    1.23 ms  2.35 ms    1.4 MiB  50%: 7 of 14 moves
             random: RTE, 0 of 30 points
        TLE  large/001      1.00 s   1.02 s   12.0 MiB  limit 1 s
        --   large/002     skipped: its group has already failed
             large: TLE, 0 of 50 points

        WA   wrong answer · 1 of 6 cases · 12.5 of 100 points
             slowest large/001, 431 ms of 1 s · memory 3.4 MiB of 256 MiB
        ");
    }

    #[test]
    fn failing_in_60_columns() {
        assert_snapshot!(plain(&samples::failing(), Detail::Every, 60), @r"
        classic-nim · guess.py (python) · 6 cases · isolation A
        already compiled
             case              cpu     memory
        AC   tiny/001      1.23 ms    1.4 MiB
        WA   tiny/002      1.23 ms    1.4 MiB
             token 2: expected `No`, found `Yes`
             tiny: WA, 0 of 20 points
        RTE  random/001    1.23 ms    1.4 MiB
             SIGSEGV (segmentation fault: invalid memory access or …
        PT   random/002    1.23 ms    1.4 MiB  50%: 7 of 14 moves
             random: RTE, 0 of 30 points
        TLE  large/001      1.00 s   12.0 MiB  limit 1 s
        --   large/002     skipped: its group has already failed
             large: TLE, 0 of 50 points

        WA   wrong answer · 1 of 6 cases · 12.5 of 100 points
             slowest large/001, 431 ms of 1 s
             memory 3.4 MiB of 256 MiB
        ");
    }

    #[test]
    fn failing_in_40_columns() {
        assert_snapshot!(plain(&samples::failing(), Detail::Every, 40), @r"
        classic-nim · guess.py (python)
             6 cases · isolation A
        already compiled
             case              cpu
        AC   tiny/001      1.23 ms
        WA   tiny/002      1.23 ms
             token 2: expected `No`, found `Yes`
             tiny: WA, 0 of 20 points
        RTE  random/001    1.23 ms
             SIGSEGV (segmentation fault: inval…
        PT   random/002    1.23 ms
             50%: 7 of 14 moves
             random: RTE, 0 of 30 points
        TLE  large/001      1.00 s  limit 1 s
        --   large/002   
             skipped: its group has already fai…
             large: TLE, 0 of 50 points

        WA   wrong answer · 1 of 6 cases
             12.5 of 100 points
             slowest large/001, 431 ms of 1 s
             memory 3.4 MiB of 256 MiB
        ");
    }

    #[test]
    fn failing_in_color() {
        assert_snapshot!(shown(&samples::failing(), Detail::Every, 80, Theme::colored()).replace('\x1b', "^"), @r"
        ^[1mclassic-nim^[0m · guess.py (python) · 6 cases · isolation A
        ^[2malready compiled^[0m
        ^[2m     case              cpu     wall     memory^[0m
        ^[1m^[32mAC ^[0m  tiny/001      1.23 ms  2.35 ms    1.4 MiB
        ^[1m^[31mWA ^[0m  tiny/002      1.23 ms  2.35 ms    1.4 MiB
             token 2: expected `No`, found `Yes`
        ^[2m     tiny: WA, 0 of 20 points^[0m
        ^[1m^[31mRTE^[0m  random/001    1.23 ms  2.35 ms    1.4 MiB
             SIGSEGV (segmentation fault: invalid memory access or stack overflow)
        ^[1m^[33mPT ^[0m  random/002    1.23 ms  2.35 ms    1.4 MiB  50%: 7 of 14 moves
        ^[2m     random: RTE, 0 of 30 points^[0m
        ^[1m^[33mTLE^[0m  large/001      1.00 s   1.02 s   12.0 MiB  limit 1 s
        ^[2m-- ^[0m  large/002     skipped: its group has already failed
        ^[2m     large: TLE, 0 of 50 points^[0m

        ^[1m^[31mWA   wrong answer^[0m · 1 of 6 cases · 12.5 of 100 points
        ^[2m     slowest large/001, 431 ms of 1 s^[0m · ^[2mmemory 3.4 MiB of 256 MiB^[0m
        ");
    }

    #[test]
    fn many_cases_are_collapsed() {
        assert_snapshot!(plain(&samples::many(), Detail::Failures, 80), @r"
        classic-nim · xor.cpp (cpp) · 200 cases · isolation A
        already compiled
             case              cpu     wall     memory
        WA   tiny/200      1.23 ms  2.35 ms    1.4 MiB
             token 2: expected `No`, found `Yes`
        WA   tiny (all)    1.23 ms             1.4 MiB  199 of 200 cases

        WA   wrong answer · 199 of 200 cases
             slowest large/001, 431 ms of 1 s · memory 3.4 MiB of 256 MiB
        ");
    }

    #[test]
    fn quiet_shows_only_the_summary() {
        assert_snapshot!(plain(&samples::failing(), Detail::Quiet, 80), @r"
        WA   wrong answer · 1 of 6 cases · 12.5 of 100 points
             slowest large/001, 431 ms of 1 s · memory 3.4 MiB of 256 MiB
        ");
    }

    #[test]
    fn compile_error_shows_compiler_output() {
        assert_snapshot!(plain(&samples::refused(), Detail::Failures, 80), @r"
        classic-nim · xor.cpp (cpp) · 6 cases · isolation A
        CE   compilation failed:
          xor.cpp:3:5: error: 'cim' was not declared in this scope; did you mean 'cin'?

        CE   compile error
        ");
    }

    #[test]
    fn fault_is_shown() {
        assert_snapshot!(plain(&samples::faulty(), Detail::Failures, 60), @r"
        classic-nim · xor.cpp (cpp) · 2 cases · isolation A
        already compiled
             case              cpu     memory
        AC   tiny/001      1.23 ms    1.4 MiB
        JE   tiny/002    
             sandbox: cannot create the control group: permission d…

        JE   the judge failed; the program has no verdict
             sandbox: cannot create the control group: permission
             denied
        ");
    }

    #[test]
    fn lines_fit_every_width() {
        for width in 30..120 {
            for events in [samples::accepted(), samples::failing(), samples::faulty(), samples::many()] {
                plain(&events, Detail::Every, width);
                plain(&events, Detail::Failures, width);
            }
        }
    }
}
