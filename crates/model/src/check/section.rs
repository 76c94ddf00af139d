//! Sections of declarations that declare nothing: priorities of channels, progress measures, and rows of Gantt charts.

use super::TypeChecker;
use crate::tree::{self, ChannelPriorities, Expr, Feature, GanttBar};
use crate::types::Type;
use zonewalk_syntax::ast::{ChanPriority, GanttRow, ProgressMeasure};
use zonewalk_syntax::diagnostic::Diagnostic;

impl TypeChecker<'_> {
    pub(super) fn chan_priority(&mut self, priority: &ChanPriority) {
        if let Some(first) = &self.channel_priorities {
            let diagnostic =
                Diagnostic::error("priority", priority.span, "channel priorities are declared twice");
            let diagnostic = diagnostic.related(first.span, "first declared here");
            self.report(diagnostic.help("join them into one declaration"));
            return;
        }
        self.feature(Feature::ChannelPriorities, priority.span);
        let mut levels: Vec<Vec<Expr>> = Vec::new();
        let mut default_level = None;
        for (number, level) in priority.levels.iter().enumerate() {
            let mut channels = Vec::new();
            for channel in level {
                match channel {
                    None => default_level = Some(number as u32),
                    Some(channel) => {
                        let typed = self.expression(channel);
                        if matches!(typed.ty, Type::Error) {
                            continue;
                        }
                        if !typed.ty.base().is_chan() {
                            self.type_error(&typed, "a channel");
                        } else if self.is_unique(&typed) {
                            channels.push(typed);
                        } else {
                            self.error(
                                "not-constant",
                                typed.span,
                                "an index here must be known at compile time",
                            );
                        }
                    }
                }
            }
            levels.push(channels);
        }
        // Without `default` in the list, unlisted channels and internal edges come first (`semantics.md` 15a).
        let default_level = default_level.unwrap_or_else(|| {
            levels.insert(0, Vec::new());
            0
        });
        self.channel_priorities = Some(ChannelPriorities {
            levels,
            default_level,
            span: priority.span,
        });
    }

    pub(super) fn progress(&mut self, measures: &[ProgressMeasure]) {
        for measure in measures {
            self.feature(Feature::ProgressMeasures, measure.measure.span);
            if let Some(guard) = &measure.guard {
                let guard = self.expression(guard);
                if !guard.ty.is_integral() {
                    self.type_error(&guard, "a condition without clocks");
                }
            }
            let value = self.expression(&measure.measure);
            if !value.ty.is_integral() {
                self.type_error(&value, "an integer");
            }
        }
    }

    pub(super) fn gantt(&mut self, rows: &[GanttRow]) {
        for row in rows {
            self.feature(Feature::Gantt, row.name.span);
            self.scopes.push();
            let selects = self.bind_selects(&row.selects);
            let mut bars = Vec::new();
            for bar in &row.bars {
                self.scopes.push();
                let selects = self.bind_selects(&bar.selects);
                let condition = self.expression(&bar.condition);
                self.require_condition(
                    &condition,
                    crate::types::Condition::Constraint,
                    "the condition of a bar",
                );
                let color = self.expression(&bar.color);
                if !color.ty.is_integral() {
                    self.type_error(&color, "an integer");
                }
                self.scopes.pop();
                bars.push(GanttBar {
                    selects,
                    condition,
                    color,
                });
            }
            self.scopes.pop();
            self.slots.clear();
            let name = row.name.name.clone();
            self.gantt.push(tree::GanttRow { name, selects, bars });
        }
    }
}
