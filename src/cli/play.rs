//! `nimatron play`: plays a game in the terminal, against the machine or with a program as a player.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};

use crate::games::{LastMover, Position};
use crate::input::Rng;
use crate::model::{Diagnostic, Digest, Failure, Fault};
use crate::play::{BUDGET, Match, MatchSetup, NextInput, PlayLevel, PlayerKind, ProgramReply, WORK, turn_order};
use crate::problem::Problem;
use crate::service::{GameSource, MoveClient, MoveOutput, game_of, start_position};
use crate::workers::start_thread;

use super::args::{GameSide, Play};
use super::context::{Context, say};
use super::exit::{Ending, Result};
use super::game::MoveProtocol;

/// Interval at which a waiting function checks for cancellation.
const BLINK: Duration = Duration::from_millis(100);

/// Runs `nimatron play` and returns how the command ended.
pub(crate) fn play(context: &Context, args: &Play) -> Result {
    context.refuse_package(&args.problem)?;
    let problem = context.catalog()?.load(&args.problem)?;
    let mut rng = Rng::from_digest(&Digest::of(format!("play {}", seed(args)).as_bytes()));
    let mut found = start(context, &problem, args, &mut rng)?;
    if args.misere {
        if found.game.rules.players > 2 {
            let players = found.game.rules.players;
            let message = format!("misère play requires two players, but the game in `{}` has {players}", problem.id);
            return Err(Diagnostic::new(message).help("remove `--misere`").into());
        }
        found.game.rules.last_mover = LastMover::Loses;
    }
    let mut program = match &args.program {
        Some(path) => {
            let talk = MoveProtocol::new(&problem)?;
            let host = context.service()?.host();
            let source = host.languages().load(path, args.language.as_deref())?;
            Some((MoveClient::build(host, &source, &path.display().to_string(), &problem.limits)?, talk))
        }
        None => None,
    };
    let level = if args.level == super::args::Skill::Beginner { PlayLevel::Beginner } else { PlayLevel::Perfect };
    let turn_order = players_of(args, found.game.rules.players as usize);
    let width = context.width().min(100);
    let setup = MatchSetup {
        game: found.game.clone(),
        turn_order: turn_order.clone(),
        level,
        rng,
        budget: BUDGET,
        work: WORK,
        width,
    };
    let lines = turn_order.contains(&PlayerKind::Human).then(listen).transpose()?;
    let begun = meanwhile(context, move || {
        let mut game = Match::new(setup);
        let reply = game.begin();
        (game, reply)
    })?;
    let Some((mut game, mut reply)) = begun else { return stopped() };
    let mut won = None;
    loop {
        say(&format!("{}\n", reply.text))?;
        let next = match (reply.next, &mut program) {
            (NextInput::None, _) | (NextInput::Program, None) => break,
            (NextInput::Line, _) => match lines.as_ref().and_then(|lines| next_line(context, lines)) {
                Some(line) => think(context, game, move |game| game.handle_line(&line))?,
                None => {
                    say("")?;
                    return Ok(Ending::Good);
                }
            },
            (NextInput::Program, Some((asked, talk))) => {
                let said = ask(&game, asked, talk, &found)?;
                let first = won.is_none();
                let answered = think(context, game, move |game| {
                    let is_won = first.then(|| game.is_won() == Some(true));
                    (is_won, game.handle_program(&said))
                })?;
                answered.map(|(game, (is_won, reply))| {
                    won = won.or(is_won);
                    (game, reply)
                })
            }
        };
        let Some(next) = next else { return stopped() };
        (game, reply) = next;
    }
    let lost = won == Some(true) && game.winner() != Some(PlayerKind::Program);
    if lost && !turn_order.contains(&PlayerKind::Human) {
        say("The program lost from a winning position.")?;
        return Ok(Ending::Bad);
    }
    Ok(Ending::Good)
}

/// Returns the game with the start position that `--position` or `--input` specifies, or with a random start position.
fn start(context: &Context, problem: &Problem, args: &Play, rng: &mut Rng) -> std::result::Result<GameSource, Failure> {
    if let Some(text) = &args.position {
        let found = game_of(problem, args.input.as_deref())?;
        let help = match found.game.start {
            Position::Graph { .. } => "specify the position as an input with `--input FILE`",
            _ => "use the notation in which `play` prints positions",
        };
        return found.at(text).map_err(|why| Diagnostic::new(format!("`--position`: {why}")).help(help).into());
    }
    match &args.input {
        Some(path) => game_of(problem, Some(path)),
        None => start_position(problem, args.first == GameSide::Me, rng, context.cancel()),
    }
}

/// Returns the seed from the command line, or a seed derived from the current time.
fn seed(args: &Play) -> u64 {
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    args.seed.unwrap_or_else(now)
}

/// Returns the players in turn order.
fn players_of(args: &Play, players: usize) -> Vec<PlayerKind> {
    let (me, other) = match (&args.program, args.program_as) {
        (None, _) => (PlayerKind::Human, PlayerKind::Machine),
        (Some(_), GameSide::Me) => (PlayerKind::Program, PlayerKind::Machine),
        (Some(_), GameSide::Machine) => (PlayerKind::Human, PlayerKind::Program),
    };
    turn_order((me, other), players, args.first == GameSide::Me)
}

/// Starts a thread that reads the lines of standard input, so that Ctrl-C is handled while no input arrives. Returns
/// the channel from which the lines are received.
///
/// # Errors
/// Fails if the thread can't be started.
fn listen() -> std::result::Result<Receiver<String>, Fault> {
    let (sender, lines) = channel();
    start_thread(move || {
        for line in io::stdin().lock().lines() {
            // A line that is not valid UTF-8 is treated as an empty line. Sending fails if the receiver was dropped.
            if sender.send(line.unwrap_or_default()).is_err() {
                break;
            }
        }
    })?;
    Ok(lines)
}

/// Reads the next line. Returns `None` at the end of the input or after cancellation.
fn next_line(context: &Context, lines: &Receiver<String>) -> Option<String> {
    if io::stdin().is_terminal() {
        let mut out = io::stdout().lock();
        // If the prompt can't be written, writing the next reply fails too, and that error is reported.
        let _ = out.write_all(b"> ").and_then(|()| out.flush());
    }
    until(context, lines)
}

/// Receives the next value from a channel. Returns `None` if the channel is closed or after cancellation.
fn until<T>(context: &Context, channel: &Receiver<T>) -> Option<T> {
    loop {
        match channel.recv_timeout(BLINK) {
            Ok(sent) => return Some(sent),
            Err(RecvTimeoutError::Timeout) if !context.cancel().is_cancelled() => {}
            Err(_) => return None,
        }
    }
}

/// Runs `work` on a separate thread, so that Ctrl-C is handled while it runs. Returns `None` after cancellation; the
/// thread is then detached and ends with the process.
///
/// # Errors
/// Fails if the thread can't be started.
fn meanwhile<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce() -> T + Send + 'static,
) -> std::result::Result<Option<T>, Fault> {
    let (sender, done) = channel();
    // Sending fails if the receiver was dropped after a cancellation.
    start_thread(move || sender.send(work()).ok())?;
    Ok(until(context, &done))
}

/// Runs `work` on a separate thread to update the game and to compute a reply. Returns the updated game and the reply;
/// `None` after cancellation.
///
/// # Errors
/// Fails if the thread of the computation can't be started.
fn think<T: Send + 'static>(
    context: &Context,
    mut game: Match,
    work: impl FnOnce(&mut Match) -> T + Send + 'static,
) -> std::result::Result<Option<(Match, T)>, Fault> {
    meanwhile(context, move || {
        let answer = work(&mut game);
        (game, answer)
    })
}

/// Ends the command after Ctrl-C during a computation. Prints a line break, so that the shell's prompt starts on a new
/// line.
fn stopped() -> Result {
    say("")?;
    Ok(Ending::Fault)
}

/// Runs the program on the current position and parses the move that it prints.
fn ask(
    game: &Match,
    asked: &mut MoveClient,
    talk: &MoveProtocol<'_>,
    found: &GameSource,
) -> std::result::Result<ProgramReply, Failure> {
    let Some((input, places)) = talk.input(found, game.position()) else {
        return Ok(ProgramReply::Invalid("the position cannot be written as an input for the problem".to_owned()));
    };
    Ok(match asked.run(&input)? {
        MoveOutput::Failed(why) => ProgramReply::Invalid(why),
        MoveOutput::Printed(output) => talk.read(&output, &places),
    })
}
