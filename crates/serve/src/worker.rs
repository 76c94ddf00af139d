//! The thread that owns the model and the run. It does one command after the other, and looks now and then whether the model's file
//! was changed.

use crate::command::{Command, Expected};
use crate::failure::Failure;
use crate::host::{Host, LoadFailure, Stamp};
use crate::job::{Asked, Job};
use crate::recorded::Recorded;
use crate::shared::Shared;
use crate::view;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use zonewalk_checker::load::{Loaded, LoadedQuery};
use zonewalk_checker::{Invalid, Purpose};
use zonewalk_network::Network;
use zonewalk_reference::Interpreter;
use zonewalk_report::trace::Trace;
use zonewalk_report::trace::document::parse;
use zonewalk_session::{PathZones, Session, ZoneError};
use zonewalk_symbolic::plan::ZonePlan;

/// Interval between examinations of the file.
const LOOK: Duration = Duration::from_millis(500);

/// For a zone, and for one random play, before the worker goes on.
const PATIENCE: Duration = Duration::from_secs(3);

/// Random steps of one command.
const STEPS: usize = 100_000;

/// A command and where its answer goes.
pub(crate) struct Message {
    pub(crate) command: Command,
    pub(crate) reply: oneshot::Sender<Result<Reply, Failure>>,
}

/// Result of a command.
#[derive(Debug)]
pub(crate) enum Reply {
    /// The view of the run.
    View(Value),
    /// A file.
    Document(Vec<u8>),
}

/// Why the work on a model ends.
enum Next {
    Stop,
    /// With the run so far, and where it was.
    Model(Arc<Loaded>, Option<Box<(Trace, usize)>>),
}

pub(crate) struct Worker {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) messages: Receiver<Message>,
    stamp: Option<Stamp>,
    looked: Instant,
}

impl Worker {
    pub(crate) fn new(host: Arc<dyn Host>, shared: Arc<Shared>, messages: Receiver<Message>) -> Self {
        Worker {
            stamp: host.stamp(),
            host,
            shared,
            messages,
            looked: Instant::now(),
        }
    }

    /// Works until the server ends.
    pub(crate) fn run(mut self, loaded: Loaded) {
        let mut loaded = Arc::new(loaded);
        let mut earlier = None;
        loop {
            match self.work_on(&loaded, earlier) {
                Next::Stop => return,
                Next::Model(next, run) => {
                    loaded = next;
                    earlier = run;
                }
            }
        }
    }

    fn work_on(&mut self, loaded: &Arc<Loaded>, earlier: Option<Box<(Trace, usize)>>) -> Next {
        let interpreter = Interpreter::new(&loaded.model, &loaded.system);
        let session = match &interpreter {
            Ok(interpreter) => Session::new(interpreter).map_err(|error| error.to_string()),
            Err(unsupported) => Err(unsupported.to_string()),
        };
        let network = Network::compile(&loaded.model, &loaded.system).ok();
        let plan = network.as_ref().and_then(|network| ZonePlan::new(network).ok());
        let mut state = WorkerState {
            session,
            plan: plan.as_ref(),
            zones: None,
            recorded: Recorded::default(),
            loaded,
            host: &self.host,
            shared: &self.shared,
        };
        if let Some(run) = earlier {
            state.keep(&run.0, run.1);
        }
        loop {
            if self.shared.is_over() {
                return Next::Stop;
            }
            match self.messages.recv_timeout(LOOK) {
                Ok(Message { command, reply }) => {
                    // A page that is gone needs no answer.
                    let _ = reply.send(state.answer(command));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Next::Stop,
            }
            if self.looked.elapsed() >= LOOK {
                self.looked = Instant::now();
                if let Some(next) = look(&mut self.stamp, &*self.host, &self.shared) {
                    let run = state.session.as_mut().ok().and_then(|session| {
                        let position = session.position();
                        Some(Box::new((session.trace().ok()?, position)))
                    });
                    return Next::Model(Arc::new(next), run);
                }
            }
        }
    }
}

/// Another model, if the file was changed and holds one.
fn look(stamp: &mut Option<Stamp>, host: &dyn Host, shared: &Shared) -> Option<Loaded> {
    let now = host.stamp();
    if now == *stamp {
        return None;
    }
    // An editor may be in the middle of writing: only a file that has been the same for a moment is read.
    std::thread::sleep(Duration::from_millis(50));
    let after = host.stamp();
    if after != now {
        return None;
    }
    *stamp = now;
    match host.load() {
        Ok(loaded) => {
            let mut news = shared.news();
            news.model += 1;
            news.revision += 1;
            news.trace += 1;
            news.broken = None;
            news.note = None;
            Some(loaded)
        }
        Err(LoadFailure { message }) => {
            shared.news().broken = Some(message);
            None
        }
    }
}

/// The model and the run that commands are about.
struct WorkerState<'a, 'm, 'n> {
    /// The run, or why there can be none.
    session: Result<Session<'a, 'm>, String>,
    /// For zones; `None` where there are none for this model.
    plan: Option<&'n ZonePlan<'n>>,
    /// Where the last zone was.
    zones: Option<PathZones<'n>>,
    /// The run as shown to pages.
    recorded: Recorded<'a, 'm>,
    loaded: &'a Arc<Loaded>,
    host: &'a Arc<dyn Host>,
    shared: &'a Shared,
}

impl<'a, 'm> WorkerState<'a, 'm, '_> {
    /// Goes on with the run of an earlier model, if it is one of this model, too.
    fn keep(&mut self, trace: &Trace, position: usize) {
        let Ok(session) = &mut self.session else { return };
        if trace.steps.is_empty() {
            return;
        }
        let note = match session.load(trace, None, None) {
            Ok(()) => session.jump(position).map_or_else(
                |error| error.to_string(),
                |()| "the run is one of the changed model, too".to_owned(),
            ),
            Err(invalid) => format!("the run is not one of the changed model and was given up: {invalid}"),
        };
        self.shared.news().note = Some(note);
    }

    fn answer(&mut self, command: Command) -> Result<Reply, Failure> {
        match command {
            Command::Model => {
                let number = self.shared.news().model;
                let variables = self.variables();
                let no_runs = self.session.as_ref().err().map(String::as_str);
                Ok(Reply::View(view::model(self.loaded, number, variables, no_runs)))
            }
            Command::Check(check) => self.check(check.query, check.formula),
            Command::Open => self.open(),
            Command::Run => self.view(),
            Command::Steps(page) => Ok(Reply::View(view::steps(self.session()?, page))),
            Command::Zone => self.zone(),
            Command::Trace => self.trace(),
            Command::Save => self.save(),
            Command::Load(bytes) => self.load(&bytes),
            Command::Take(take) => {
                self.expect(take.revision)?;
                let delay = take.delay.map(|number| number.0);
                self.session()?.take(take.choice, delay)?;
                self.changed()
            }
            Command::Wait(wait) => {
                self.expect(wait.revision)?;
                self.session()?.wait(wait.delay.0)?;
                self.changed()
            }
            Command::Undo(Expected { revision }) => {
                self.expect(revision)?;
                if !self.session()?.undo()? {
                    return Err(Failure::conflict("there is nothing to undo"));
                }
                self.changed()
            }
            Command::Restart(Expected { revision }) => {
                self.expect(revision)?;
                self.session()?.restart()?;
                self.changed()
            }
            Command::Jump(jump) => {
                self.session()?.jump(jump.step)?;
                self.shared.news().revision += 1;
                self.view()
            }
            Command::Random(random) => {
                self.expect(random.revision)?;
                if random.steps > STEPS {
                    return Err(Failure::bad(format!("at most {STEPS} random steps at a time")));
                }
                self.play(random.seed, random.steps)
            }
        }
    }

    fn session(&mut self) -> Result<&mut Session<'a, 'm>, Failure> {
        match &mut self.session {
            Ok(session) => Ok(session),
            Err(why) => Err(Failure::refused(format!(
                "there are no runs of this model to look at: {why}"
            ))),
        }
    }

    /// Refuses changes to another run than the one that the user has seen.
    fn expect(&self, revision: Option<u64>) -> Result<(), Failure> {
        let now = self.shared.news().revision;
        match revision {
            Some(seen) if seen != now => Err(Failure::conflict(
                "the run has changed in the meantime, perhaps in another tab: look at it again",
            )),
            _ => Ok(()),
        }
    }

    fn view(&mut self) -> Result<Reply, Failure> {
        let (revision, trace) = {
            let news = self.shared.news();
            (news.revision, news.trace)
        };
        Ok(Reply::View(view::run(self.session()?, revision, trace)))
    }

    fn changed(&mut self) -> Result<Reply, Failure> {
        {
            let mut news = self.shared.news();
            news.revision += 1;
            news.trace += 1;
        }
        self.view()
    }

    /// The run as pages show it.
    fn trace(&mut self) -> Result<Reply, Failure> {
        let number = self.shared.news().trace;
        let Ok(session) = &self.session else {
            return self.view();
        };
        let run = self.recorded.run(session).map_err(Failure::refused)?;
        Ok(Reply::View(json!({ "trace": number, "run": run })))
    }

    /// The names of variables, cell by cell, as traces have them.
    fn variables(&mut self) -> Vec<String> {
        let Ok(session) = &mut self.session else {
            return Vec::new();
        };
        let recorder = session.recorder();
        let initial = session.state_after(0).map(|state| recorder.state(&state));
        let cells = initial.map(|state| state.variables).unwrap_or_default();
        cells.into_iter().map(|cell| cell.name).collect()
    }

    fn play(&mut self, seed: u64, steps: usize) -> Result<Reply, Failure> {
        let (shared, start) = (self.shared, Instant::now());
        let is_over = || shared.is_over() || start.elapsed() > PATIENCE;
        let played = self.session()?.play(seed, steps, &is_over);
        let is_late = played.steps < steps && played.error.is_none() && !played.is_deadlock;
        let answer = self.changed()?;
        let Reply::View(mut view) = answer else {
            return Ok(answer);
        };
        let why = match played.error {
            Some(error) => Some(error.to_string()),
            None if is_late => Some(format!(
                "the time for one play, {} s, is over",
                PATIENCE.as_secs()
            )),
            None if played.is_deadlock => Some("no transition is possible any more".to_owned()),
            None => None,
        };
        view["played"] = json!({ "steps": played.steps, "stopped": why });
        Ok(Reply::View(view))
    }

    fn zone(&mut self) -> Result<Reply, Failure> {
        let Some(plan) = self.plan else {
            return Err(Failure::refused(
                "there are no zones for this model: `zonewalk info` says why",
            ));
        };
        let failure = |error: ZoneError| Failure::refused(error.to_string());
        let mut zones = match self.zones.take() {
            Some(zones) => zones,
            None => {
                let clocks = self.loaded.system.clocks.iter();
                let names = clocks.map(|clock| clock.name.to_string()).collect();
                PathZones::new(plan, names).map_err(failure)?
            }
        };
        let session = self.session()?;
        let position = session.position();
        let zone = zones.after(session.steps().take(position), PATIENCE);
        self.zones = Some(zones);
        Ok(Reply::View(view::zone(&zone.map_err(failure)?, position)))
    }

    fn save(&mut self) -> Result<Reply, Failure> {
        let session = self.session()?;
        let trace = session.trace()?;
        let query = session.ending().query.clone();
        Ok(Reply::Document(self.host.document(
            self.loaded,
            query.as_deref(),
            &trace,
        )))
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Reply, Failure> {
        let document =
            parse(bytes).map_err(|error| Failure::bad(format!("the file is not a trace: {error}")))?;
        let invalid =
            |invalid: Invalid| Failure::refused(format!("the run is not one of this model: {invalid}"));
        // The purpose of a run is shown only where it was confirmed, too.
        let known = document
            .query
            .as_deref()
            .and_then(|query| self.purpose(query).map(|purpose| (query, purpose)));
        let (query, purpose) = known.unzip();
        self.session()?
            .load(&document.trace, query, purpose)
            .map_err(invalid)?;
        self.changed()
    }

    /// Purpose of a run for this query: what its end shows, if the query belongs to the model and is about states.
    fn purpose(&self, query: &str) -> Option<Purpose<'a>> {
        let is_meant = |known: &&'a LoadedQuery| known.entry.text == query;
        let known = self.loaded.queries.iter().find(is_meant)?;
        Purpose::of(&known.typed.as_ref().ok()?.kind)
    }

    /// The run that a query has found, at its end.
    fn open(&mut self) -> Result<Reply, Failure> {
        let found = self.shared.job().and_then(|job| job.trace());
        let Some((trace, query)) = found else {
            return Err(Failure::conflict("the last query has no run to open"));
        };
        let invalid =
            |invalid: Invalid| Failure::refused(format!("the run is not one of this model: {invalid}"));
        self.session()?
            .load(&trace, Some(&query), None)
            .map_err(invalid)?;
        self.changed()
    }

    fn check(&mut self, number: Option<usize>, formula: Option<String>) -> Result<Reply, Failure> {
        let last = self.shared.job();
        if last.as_ref().is_some_and(|job| job.is_running()) {
            return Err(Failure::conflict("a query is being decided: cancel it first"));
        }
        let asked = match (number, formula) {
            (Some(number), None) => {
                let numbered = self.loaded.numbered_queries();
                let Some(index) = numbered.iter().position(|(known, _)| *known == number) else {
                    return Err(Failure::bad(format!("there is no query {number}")));
                };
                let text = numbered[index].1.entry.text.clone();
                Asked::Known(Arc::clone(self.loaded), index, text)
            }
            (None, Some(formula)) => Asked::Formula(formula),
            _ => {
                return Err(Failure::bad(
                    "give either `query`, a number, or `formula`, a text",
                ));
            }
        };
        let number = last.map_or(1, |job| job.number() + 1);
        let job = Job::start(self.host, number, asked)?;
        let view = job.view();
        self.shared.set_job(job);
        Ok(Reply::View(view))
    }
}
