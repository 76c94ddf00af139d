//! Templates of UPPAAL with parameters and arrays of channels: each process of the system line is a component.
//!
//! A component is called as the process is: `N0` for `N0 = Node(0);`, `Node(3)` for an instance of a template with a free
//! parameter. `IO` lines name channels, elements of arrays or whole arrays, and may use the parameters.

mod separate;

use rustc_hash::FxHashSet;
use separate::separate;
use zonewalk_model::check::{Rules, check_with};
use zonewalk_model::eval::{Code, CompileTime, Evaluator, Fault, Store};
use zonewalk_model::ids::ProcessId;
use zonewalk_model::instance::instantiate;
use zonewalk_model::system::{Binding, System, Value};
use zonewalk_model::tree::{Direction as Suffix, Feature, IoLine, IoProcesses, Model};
use zonewalk_syntax::ast::{Document, Edge, Ident, Name, SystemItem, SystemLine, Template};
use zonewalk_syntax::diagnostic::Diagnostic;

use super::check::{BROADCAST_CHANNEL, URGENT_CHANNEL, clash, refusals, unsupported};
use super::declarations::{contradiction, difference, together, without_conflicts};
use super::document::{edge_id, places};
use super::{Actions, LoadError, Loaded};
use crate::component::{Component, Direction};
use crate::project::{Action, AlphabetOf, Broken};
use crate::unfold::{Label, Labels, Mark, alphabet, unfold};

/// Reads a model as UPPAAL does, and makes components of its processes.
pub(super) fn read(document: &Document, mut loaded: Loaded) -> Result<Loaded, Box<LoadError>> {
    let mut sources = std::mem::take(&mut loaded.sources);
    let mut document = completed(document, &mut loaded.warnings);
    let model = loop {
        let (checked, diagnostics) = check_with(sources, &document, &[], Rules::Components);
        let told = diagnostics.iter().cloned();
        let model = match checked {
            Ok(model) => model,
            Err(sources) => return Err(refused(sources, loaded.warnings, told.collect())),
        };
        let errors = unusable(&model);
        if errors.is_empty() {
            loaded.warnings.extend(told);
            break model;
        }
        match separate(&mut document, &errors) {
            Some(broken) => loaded.project.broken.extend(broken),
            None => return Err(refused(model.sources, loaded.warnings, errors)),
        }
        sources = model.sources;
    };
    let system = match instantiate(&model) {
        Ok(system) => system,
        Err(errors) => return Err(refused(model.sources, loaded.warnings, errors)),
    };
    loaded.warnings.extend(system.warnings.iter().cloned());
    components(&document, &model, &system, &mut loaded);
    loaded.sources = model.sources;
    Ok(loaded)
}

/// Reports features that no component may have.
fn unusable(model: &Model) -> Vec<Diagnostic> {
    let mut errors = refusals(model);
    let first = |feature| model.features.iter().find(|used| used.feature == feature);
    if let Some(urgent) = first(Feature::UrgentChannels) {
        errors.push(unsupported(URGENT_CHANNEL, urgent.span));
    }
    // Files of ECDAR declare their channels so, and mean nothing by it. Templates of UPPAAL, with parameters and `IO` lines, would.
    let is_of_uppaal = !model.io_lines.is_empty() && model.templates.iter().any(|t| !t.params.is_empty());
    if let Some(broadcast) = first(Feature::Broadcast).filter(|_| is_of_uppaal) {
        errors.push(unsupported(BROADCAST_CHANNEL, broadcast.span));
    }
    errors
}

/// Copy of the model whose system line names every process once and all templates without parameters: templates that are not
/// listed are usually specifications.
fn completed(document: &Document, warnings: &mut Vec<Diagnostic>) -> Document {
    let mut document = document.clone();
    let mut known: FxHashSet<Name> = document.templates.iter().map(|t| t.name.name.clone()).collect();
    for item in &document.system {
        if let SystemItem::Instantiation(instantiation) = item {
            known.insert(instantiation.name.name.clone());
        }
    }
    let mut listed: FxHashSet<Name> = FxHashSet::default();
    let mut last = None;
    for (index, item) in document.system.iter_mut().enumerate() {
        let SystemItem::System(line) = item else { continue };
        last = Some(index);
        for level in &mut line.levels {
            level.retain(|name| {
                let is_known = known.contains(&name.name);
                if !is_known {
                    let message = format!("the system list names `{}`, which does not exist", name.name);
                    warnings.push(Diagnostic::warning("unknown-name", name.span, message));
                }
                is_known && listed.insert(name.name.clone())
            });
        }
        line.levels.retain(|level| !level.is_empty());
    }
    let plain = document.templates.iter().filter(|t| t.params.is_empty());
    let unlisted: Vec<Ident> = plain
        .map(|template| template.name.clone())
        .filter(|name| !listed.contains(&name.name))
        .collect();
    match last.map(|index| &mut document.system[index]) {
        Some(SystemItem::System(line)) => match line.levels.last_mut() {
            Some(level) => level.extend(unlisted),
            None => line.levels.push(unlisted),
        },
        _ => document.system.push(SystemItem::System(SystemLine {
            levels: vec![unlisted],
            span: document.end,
        })),
    }
    document
}

fn refused(
    sources: zonewalk_syntax::source::SourceMap,
    mut diagnostics: Vec<Diagnostic>,
    errors: Vec<Diagnostic>,
) -> Box<LoadError> {
    diagnostics.extend(errors);
    Box::new(LoadError { sources, diagnostics })
}

fn components(document: &Document, model: &Model, system: &System, loaded: &mut Loaded) {
    let labels: Vec<Labels> = document.templates.iter().map(labels).collect();
    let silent: Vec<Vec<Diagnostic>> = document.templates.iter().map(silent).collect();
    let mut actions = Actions::default();
    let mut differences = Vec::new();
    for (index, process) in system.processes.iter().enumerate() {
        let id = ProcessId::from_index(index);
        let name = process.name.to_string();
        let template = process.template.index();
        let warnings = &mut loaded.warnings;
        let mut component = || {
            if !silent[template].is_empty() {
                return Err(silent[template].clone());
            }
            let labels = &labels[template];
            let mut component = unfold(model, system, id, &name, labels, &mut actions, warnings)?;
            let told = declare(model, system, id, &mut component, &mut actions)?;
            if let Some(error) = clash(&component, &actions, model.templates[template].span) {
                return Err(vec![error]);
            }
            differences.extend(told.map(|warning| (name.clone(), warning)));
            Ok(component)
        };
        match component() {
            Ok(component) => loaded.project.components.push(component),
            Err(errors) => loaded.project.broken.push(Broken { name, errors }),
        }
    }
    loaded.warnings.extend(together(differences));
    loaded.project.actions = actions.into_names();
    loaded.project.alphabet = Some(if model.io_lines.is_empty() {
        AlphabetOf::Edges
    } else {
        AlphabetOf::Declared
    });
}

/// Errors about edges without an action.
fn silent(template: &Template) -> Vec<Diagnostic> {
    let edges = template.edges.iter().filter(|edge| edge.sync.is_none());
    let error = |edge: &Edge| {
        let message = "an edge without a synchronisation: in a timed I/O automaton each edge has an action";
        Diagnostic::error("no-action", edge.span, message)
    };
    edges.map(error).collect()
}

fn labels(template: &Template) -> Labels {
    let edges = template.edges.iter().enumerate();
    Labels {
        places: places(template),
        marks: edges
            .map(|(index, edge)| Mark {
                id: edge_id(edge, index),
                label: Label::Channel,
            })
            .collect(),
    }
}

/// Gives a component what the `IO` lines about it declare; a warning if its edges have something else.
fn declare(
    model: &Model,
    system: &System,
    process: ProcessId,
    component: &mut Component,
    actions: &mut Actions,
) -> Result<Option<Diagnostic>, Vec<Diagnostic>> {
    let mut found: Vec<(Action, Direction)> = Vec::new();
    let mut line_of = None;
    for line in &model.io_lines {
        let Some(frame) = frame(line, model, system, process).map_err(|fault| vec![fault.to_diagnostic()])?
        else {
            continue;
        };
        line_of = Some(line.span);
        for action in &line.actions {
            let direction = match action.direction {
                Suffix::Send => Direction::Output,
                Suffix::Receive => Direction::Input,
                // An error has been told.
                Suffix::Together => continue,
            };
            let value = evaluate(model, system, &frame, &action.channel);
            let value = value.map_err(|fault| {
                let label = format!("in the `IO` line, for {}", component.name);
                vec![fault.to_diagnostic().label(label)]
            })?;
            channels(&value, system, &mut |name| {
                found.push((actions.intern(name), direction));
            });
        }
    }
    let Some(span) = line_of else {
        return Ok(None);
    };
    let declared = alphabet(found);
    // That an action is declared and has no edge is what such lines are for.
    let unused = |list: &[Action], own: &[Action]| list.iter().any(|a| own.binary_search(a).is_err());
    let is_short = unused(&component.alphabet.inputs, &declared.inputs)
        || unused(&component.alphabet.outputs, &declared.outputs);
    let warning = contradiction(&declared, component, actions, span)
        .or_else(|| difference(&declared, component, actions, span).filter(|_| is_short));
    component.declared = Some(without_conflicts(declared, component));
    Ok(warning)
}

/// The values of a line's parameters for a process; nothing if the line is about others.
fn frame(
    line: &IoLine,
    model: &Model,
    system: &System,
    process: ProcessId,
) -> Result<Option<Vec<Value>>, Fault> {
    let instance = &system.processes[process.index()];
    let values = match line.processes {
        IoProcesses::Template(template) if template == instance.template => {
            let value = |binding: &Binding| match binding {
                Binding::Value(value) => value.clone(),
                // A reference has no value that a line could use.
                Binding::Place(_) => Value::Int(0),
            };
            instance.bindings.iter().map(value).collect()
        }
        IoProcesses::Set(set) if set == instance.set => free_values(system, set.index(), process),
        _ => return Ok(None),
    };
    for (arg, own) in line.args.iter().zip(&values) {
        if let Some(arg) = arg
            && evaluate(model, system, &values, arg)? != *own
        {
            return Ok(None);
        }
    }
    Ok(Some(values))
}

/// The values of the free parameters of a process, from its place in its set.
fn free_values(system: &System, set: usize, process: ProcessId) -> Vec<Value> {
    let range = &system.sets[set];
    let mut offset = process.index() - range.first.index();
    let mut values = Vec::new();
    for &(lo, count) in range.dims.iter().rev() {
        let count = (count as usize).max(1);
        values.push(Value::Int(lo + (offset % count) as i32));
        offset /= count;
    }
    values.reverse();
    values
}

fn evaluate(
    model: &Model,
    system: &System,
    frame: &[Value],
    expr: &zonewalk_model::tree::Expr,
) -> Result<Value, Fault> {
    let mut world = CompileTime;
    Evaluator::new(Code::from(model), Store::Shared(&system.initial), &mut world)
        .with_frame(frame)
        .value(expr)
}

/// The names of a channel, or of all those in an array.
fn channels(value: &Value, system: &System, see: &mut impl FnMut(&str)) {
    match value {
        Value::Channel(channel) => see(&system.channels[channel.index()].name),
        Value::Array(parts) | Value::Struct(parts) => {
            parts.iter().for_each(|part| channels(part, system, see));
        }
        _ => {}
    }
}
