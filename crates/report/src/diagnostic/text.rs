//! Diagnostics for people: message, place, excerpt with a caret, and what to do about it.

use super::excerpt::{Excerpt, REACH, are_near};
use super::help;
use super::{as_written, summary};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet, normalize_untrusted_str,
};
use std::borrow::Cow;
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics, Severity, Suggestion};
use zonewalk_syntax::source::{Source, SourceMap};
use zonewalk_syntax::span::Span;

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With ANSI colours.
    pub color: bool,
    /// Columns of the screen; longer lines are trimmed around the caret.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            color: false,
            width: 100,
        }
    }
}

/// One diagnostic; ends with a line break.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let mut origins = Origins::default();
    let mut groups = vec![primary_group(diagnostic, sources, &mut origins)];
    groups.extend(distant_groups(diagnostic, sources, &mut origins));
    groups.extend(suggestion_group(diagnostic, sources, &origins, style.width));
    let renderer = if style.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = origins.put_into(&renderer.term_width(style.width).render(&groups));
    // Lines that annotate nothing end in blanks, which only show in diffs and terminals' selections.
    text = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    text.push('\n');
    text
}

/// All of them, a blank line after each, then how many there are.
pub fn render_all(diagnostics: &Diagnostics, sources: &SourceMap, style: Style) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter() {
        text.push_str(&render(diagnostic, sources, style));
        text.push('\n');
    }
    let (errors, warnings) = (diagnostics.error_count(), diagnostics.warning_count());
    let shown_errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let dropped = summary(
        errors - shown_errors,
        diagnostics.suppressed() - (errors - shown_errors),
    );
    let total = summary(errors, warnings);
    if !dropped.is_empty() {
        text.push_str(&format!("{total} ({dropped} not shown)\n"));
    } else if !total.is_empty() {
        text.push_str(&format!("{total}\n"));
    }
    text
}

/// The message with the primary place, the related places beside it, and notes.
fn primary_group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap, origins: &mut Origins) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(one_line(&diagnostic.message))
        .id(diagnostic.code.as_str());
    let mut group = Group::with_title(title);
    let mut element = None;
    if let Some(source) = sources.source(diagnostic.primary.span.start) {
        let primary = diagnostic.primary.span;
        let near = related_near(diagnostic, source);
        let marks = std::iter::once(primary).chain(near.clone().map(|label| label.span));
        let excerpt = Excerpt::around(source, marks, REACH);
        let snippet = snippet(&excerpt, origins.add(source, primary))
            .annotation(mark(
                &excerpt,
                AnnotationKind::Primary,
                primary,
                &diagnostic.primary.text,
            ))
            .annotations(near.map(|label| mark(&excerpt, AnnotationKind::Context, label.span, &label.text)));
        group = group.element(snippet);
        element = source.element(primary.start);
    }
    if let Some(element) = element {
        group = group.element(Level::NOTE.with_name("in").message(safe(element)));
    }
    match help(diagnostic) {
        // With a patch the help becomes the patch's title.
        Some(help) if diagnostic.suggestion.is_none() => group.element(Level::HELP.message(safe(help))),
        _ => group,
    }
}

/// The related places that the primary excerpt shows too.
fn related_near<'a>(
    diagnostic: &'a Diagnostic,
    source: &'a Source,
) -> impl Iterator<Item = &'a zonewalk_syntax::diagnostic::Label> + Clone {
    let primary = diagnostic.primary.span;
    diagnostic
        .related
        .iter()
        .filter(move |label| is_inside(source, label.span) && are_near(primary, label.span))
}

/// A note for each related place that is too far away for the primary excerpt.
fn distant_groups<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
    origins: &mut Origins,
) -> Vec<Group<'a>> {
    let primary = diagnostic.primary.span;
    let mut groups = Vec::new();
    for label in &diagnostic.related {
        let Some(source) = sources.source(label.span.start) else {
            continue;
        };
        if is_inside(source, primary) && are_near(primary, label.span) {
            continue;
        }
        let excerpt = Excerpt::around(source, std::iter::once(label.span), REACH);
        let snippet = snippet(&excerpt, origins.add(source, label.span)).annotation(mark(
            &excerpt,
            AnnotationKind::Primary,
            label.span,
            "",
        ));
        let mut group = Level::NOTE.secondary_title(safe(&label.text)).element(snippet);
        if let Some(element) = source.element(label.span.start) {
            group = group.element(Level::NOTE.with_name("in").message(safe(element)));
        }
        groups.push(group);
    }
    groups
}

/// The patch, with the help as its title.
fn suggestion_group<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
    origins: &Origins,
    width: usize,
) -> Option<Group<'a>> {
    let Suggestion { span, replacement } = diagnostic.suggestion.as_ref()?;
    let source = sources.source(span.start)?;
    // The renderer trims excerpts but not patches.
    let reach = if source.slice(*span).len() < width {
        (width - source.slice(*span).len()) / 2
    } else {
        0
    };
    let excerpt = Excerpt::around(source, std::iter::once(*span), reach.saturating_sub(10));
    let range = excerpt.range(*span);
    let help = help(diagnostic).unwrap_or("this may be what was intended");
    let title = Level::HELP.secondary_title(safe(help));
    if range.len() < source.slice(*span).len() {
        // The excerpt does not show all that is to be replaced: a patch of a part would mislead.
        return Some(title.element(Level::NOTE.message(safe(&format!("replace it with `{replacement}`")))));
    }
    let [before, after] = excerpt.is_cut.map(|is_cut| if is_cut { "..." } else { "" });
    let range = range.start + before.len()..range.end + before.len();
    let patch = Patch::new(range, plain(&as_written(source, replacement)).into_owned());
    let snippet = Snippet::source(format!("{before}{}{after}", plain(excerpt.text)))
        .line_start(excerpt.first_line)
        .patch(patch);
    // The same path as that of the primary place: its position need not be repeated.
    Some(title.element(snippet.path(origins.first())))
}

fn snippet<'a>(excerpt: &Excerpt<'a>, path: String) -> Snippet<'a, Annotation<'a>> {
    Snippet::source(plain(excerpt.text))
        .line_start(excerpt.first_line)
        .path(path)
}

fn mark<'a>(excerpt: &Excerpt<'_>, kind: AnnotationKind, span: Span, text: &'a str) -> Annotation<'a> {
    let label = (!text.is_empty()).then(|| one_line(text));
    kind.span(excerpt.range(span)).label(label)
}

fn is_inside(source: &Source, span: Span) -> bool {
    let whole = source.span();
    whole.start <= span.start && span.start <= whole.end
}

/// Places of excerpts, by number.
///
/// The renderer takes columns from the text that it is given, which is a part of a line here. So it is given a
/// token instead of the path, and the token with the position that it printed is replaced by the real place.
#[derive(Default)]
struct Origins {
    places: Vec<String>,
}

/// Private-use characters: they begin and end a token, and are taken out of everything else that is printed.
const TOKEN: [char; 2] = ['\u{f8f0}', '\u{f8f1}'];

impl Origins {
    fn add(&mut self, source: &Source, span: Span) -> String {
        let at = source.position(span.start);
        self.places.push(format!(
            "{}:{}:{}",
            plain(&safe(&source.name)),
            at.line,
            at.column
        ));
        self.token(self.places.len() - 1)
    }

    fn first(&self) -> Option<String> {
        (!self.places.is_empty()).then(|| self.token(0))
    }

    fn token(&self, index: usize) -> String {
        format!("{}{index}{}", TOKEN[0], TOKEN[1])
    }

    fn put_into(&self, rendered: &str) -> String {
        let mut parts = rendered.split(TOKEN[0]);
        let mut text = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let (index, rest) = part.split_once(TOKEN[1]).unwrap_or(("", part));
            if let Some(place) = index.parse().ok().and_then(|i: usize| self.places.get(i)) {
                text.push_str(place);
            }
            text.push_str(rest.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
        }
        text
    }
}

/// Text without the characters of a token.
fn plain(text: &str) -> Cow<'_, str> {
    if text.contains(TOKEN) {
        Cow::Owned(text.replace(TOKEN, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Text from a model for a place where the renderer trusts it: control characters become visible.
fn safe(text: &str) -> String {
    normalize_untrusted_str(&one_line(text))
}

/// Messages quote names and texts of the model; a line break in one would break the layout.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        Cow::Owned(plain(text).replace("\r\n", " ").replace(['\n', '\r'], " "))
    } else {
        plain(text)
    }
}
