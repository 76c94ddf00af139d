//! Templates and the system section.

use super::Printer;
use crate::ast::{Direction, Edge, Location, SystemItem, Template};

impl Printer {
    pub(super) fn template(&mut self, template: &Template) {
        self.word("process ");
        self.word(&template.name.name);
        self.params(&template.params);
        self.word(" {\n");
        self.indent += 1;
        for decl in &template.decls {
            self.decl(decl);
        }
        self.lines("state", &template.locations, Self::location);
        self.lines("branchpoint", &template.branchpoints, |p, b| p.word(&b.name.name));
        let committed: Vec<_> = template.locations.iter().filter(|l| l.committed).collect();
        self.lines("commit", &committed, |p, l| p.word(&l.name.name));
        let urgent: Vec<_> = template.locations.iter().filter(|l| l.urgent).collect();
        self.lines("urgent", &urgent, |p, l| p.word(&l.name.name));
        if let Some(initial) = &template.initial {
            self.lines("init", &[initial], |p, l| p.word(&l.name));
        }
        self.lines("trans", &template.edges, Self::edge);
        self.indent -= 1;
        self.word("}\n");
    }

    /// `title a, b, c;`, one item a line; nothing when there are none.
    fn lines<T>(&mut self, title: &str, items: &[T], item: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.margin();
        self.word(title);
        self.indent += 1;
        for (i, element) in items.iter().enumerate() {
            self.word(if i > 0 { ",\n" } else { "\n" });
            self.margin();
            item(self, element);
        }
        self.indent -= 1;
        self.word(";\n");
    }

    fn location(&mut self, location: &Location) {
        self.word(&location.name.name);
        if location.invariant.is_none() && location.rate.is_none() {
            return;
        }
        self.word(" { ");
        if let Some(invariant) = &location.invariant {
            self.expr(invariant);
        }
        if let Some((rate, second)) = &location.rate {
            self.word("; ");
            self.expr(rate);
            if let Some(second) = second {
                self.word(" : ");
                self.expr(second);
            }
        }
        self.word(" }");
    }

    fn edge(&mut self, edge: &Edge) {
        self.word(&edge.source.name);
        self.word(if edge.controllable { " -> " } else { " -u-> " });
        self.word(&edge.target.name);
        self.word(" {");
        if !edge.selects.is_empty() {
            self.word(" select ");
            self.selects(&edge.selects);
            self.word(";");
        }
        if let Some(guard) = &edge.guard {
            self.word(" guard ");
            self.expr(guard);
            self.word(";");
        }
        if let Some(sync) = &edge.sync {
            self.word(" sync ");
            self.channel(&sync.channel);
            self.word(match sync.direction {
                Direction::Send => "!;",
                Direction::Receive => "?;",
                Direction::Together => ";",
            });
        }
        if !edge.updates.is_empty() {
            self.word(" assign ");
            self.list(&edge.updates, Self::expr);
            self.word(";");
        }
        if let Some(weight) = &edge.weight {
            self.word(" probability ");
            self.expr(weight);
            self.word(";");
        }
        self.word(" }");
    }

    pub(super) fn system_item(&mut self, item: &SystemItem) {
        match item {
            SystemItem::Decl(decl) => self.decl(decl),
            SystemItem::Instantiation(instantiation) => {
                self.word(&instantiation.name.name);
                if !instantiation.params.is_empty() {
                    self.params(&instantiation.params);
                }
                self.word(" = ");
                self.word(&instantiation.template.name);
                self.arguments(&instantiation.args);
                self.word(";\n");
            }
            SystemItem::System(line) => {
                self.word("system ");
                for (i, level) in line.levels.iter().enumerate() {
                    self.word(if i > 0 { " < " } else { "" });
                    self.list(level, |p, process| p.word(&process.name));
                }
                self.word(";\n");
            }
            SystemItem::Io(line) => {
                self.word("IO ");
                self.word(&line.process.name);
                if !line.args.is_empty() {
                    self.arguments(&line.args);
                }
                self.word(" { ");
                self.list(&line.actions, |p, action| {
                    p.expr(&action.channel);
                    p.word(match action.direction {
                        Direction::Send => "!",
                        Direction::Receive => "?",
                        Direction::Together => "",
                    });
                });
                self.word(" }\n");
            }
        }
    }
}
