//! Types, declarations, functions and statements.

use super::Printer;
use crate::ast::{
    Block, ChanPriority, Decl, Declarator, Dim, ExternFunction, Function, GanttRow, Init, Param, Select,
    Stmt, StmtKind, TypeExpr, TypeKind,
};

impl Printer {
    pub(super) fn ty(&mut self, ty: &TypeExpr) {
        let prefix = ty.prefix;
        for (is_given, word) in [
            (prefix.is_const, "const "),
            (prefix.is_meta, "meta "),
            (prefix.is_hybrid, "hybrid "),
            (prefix.is_urgent, "urgent "),
            (prefix.is_broadcast, "broadcast "),
        ] {
            if is_given {
                self.word(word);
            }
        }
        match &ty.kind {
            TypeKind::Error => self.word("<error>"),
            TypeKind::Void => self.word("void"),
            TypeKind::Bool => self.word("bool"),
            TypeKind::Int => self.word("int"),
            TypeKind::Range(low, high) => {
                self.word("int[");
                self.expr(low);
                self.word(", ");
                self.expr(high);
                self.word("]");
            }
            TypeKind::Double => self.word("double"),
            TypeKind::Clock => self.word("clock"),
            TypeKind::Chan => self.word("chan"),
            TypeKind::Str => self.word("string"),
            TypeKind::Scalar(size) => {
                self.word("scalar[");
                self.expr(size);
                self.word("]");
            }
            TypeKind::Struct(fields) => {
                self.word("struct { ");
                for field in fields {
                    self.ty(&field.ty);
                    self.word(" ");
                    self.list(&field.declarators, Self::declarator);
                    self.word("; ");
                }
                self.word("}");
            }
            TypeKind::Name(name) => self.word(&name.name),
        }
    }

    fn dims(&mut self, dims: &[Dim]) {
        for dim in dims {
            self.word("[");
            match dim {
                Dim::Size(size) => self.expr(size),
                Dim::Type(ty) => self.ty(ty),
            }
            self.word("]");
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.word(&declarator.name.name);
        self.dims(&declarator.dims);
        if let Some(init) = &declarator.init {
            self.word(" = ");
            self.init(init);
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) => self.expr(expr),
            Init::List { items, .. } => {
                self.word("{ ");
                self.list(items, |p, (name, value)| {
                    if let Some(name) = name {
                        p.word(&name.name);
                        p.word(": ");
                    }
                    p.init(value);
                });
                self.word(" }");
            }
        }
    }

    pub(super) fn params(&mut self, params: &[Param]) {
        self.word("(");
        self.list(params, |p, param| {
            p.ty(&param.ty);
            p.word(if param.by_reference { " &" } else { " " });
            p.word(&param.name.name);
            p.dims(&param.dims);
        });
        self.word(")");
    }

    pub(super) fn selects(&mut self, selects: &[Select]) {
        self.list(selects, |p, select| {
            p.word(&select.name.name);
            p.word(" : ");
            p.ty(&select.ty);
        });
    }

    pub(super) fn decl(&mut self, decl: &Decl) {
        self.margin();
        match decl {
            Decl::Variables { ty, declarators } => self.declarators(ty, declarators),
            Decl::Typedef { ty, declarators } => {
                self.word("typedef ");
                self.declarators(ty, declarators);
            }
            Decl::Function(function) => self.function(function),
            Decl::ChanPriority(priority) => self.chan_priority(priority),
            Decl::Progress(measures) => self.section("progress", measures, |p, measure| {
                if let Some(guard) = &measure.guard {
                    p.expr(guard);
                    p.word(" : ");
                }
                p.expr(&measure.measure);
                p.word(";");
            }),
            Decl::Gantt(rows) => self.section("gantt", rows, Self::gantt_row),
            Decl::BeforeUpdate(updates) => {
                self.word("before_update { ");
                self.list(updates, Self::expr);
                self.word(" }");
            }
            Decl::AfterUpdate(updates) => {
                self.word("after_update { ");
                self.list(updates, Self::expr);
                self.word(" }");
            }
            Decl::Dynamic { name, params } => {
                self.word("dynamic ");
                self.word(&name.name);
                self.params(params);
                self.word(";");
            }
            Decl::Import(import) => {
                self.word("import \"");
                self.word(&import.library);
                self.word("\" ");
                self.section("", &import.functions, Self::extern_function);
                self.word(";");
            }
        }
        self.word("\n");
    }

    fn declarators(&mut self, ty: &TypeExpr, declarators: &[Declarator]) {
        self.ty(ty);
        self.word(" ");
        self.list(declarators, Self::declarator);
        self.word(";");
    }

    /// `title { … }`, one item a line.
    fn section<T>(&mut self, title: &str, items: &[T], item: impl Fn(&mut Self, &T)) {
        self.word(title);
        self.word(if title.is_empty() { "{\n" } else { " {\n" });
        self.indent += 1;
        for element in items {
            self.margin();
            item(self, element);
            self.word("\n");
        }
        self.indent -= 1;
        self.margin();
        self.word("}");
    }

    fn gantt_row(&mut self, row: &GanttRow) {
        self.word(&row.name.name);
        if !row.selects.is_empty() {
            self.word("(");
            self.selects(&row.selects);
            self.word(")");
        }
        self.word(" : ");
        self.list(&row.bars, |p, bar| {
            if !bar.selects.is_empty() {
                p.word("for (");
                p.selects(&bar.selects);
                p.word(") ");
            }
            p.expr(&bar.condition);
            p.word(" -> ");
            p.expr(&bar.color);
        });
        self.word(";");
    }

    fn extern_function(&mut self, function: &ExternFunction) {
        self.ty(&function.result);
        self.word(" ");
        self.word(&function.name.name);
        self.params(&function.params);
        self.word(";");
    }

    fn chan_priority(&mut self, priority: &ChanPriority) {
        self.word("chan priority ");
        for (i, level) in priority.levels.iter().enumerate() {
            self.word(if i > 0 { " < " } else { "" });
            self.list(level, |p, channel| match channel {
                Some(channel) => p.expr(channel),
                None => p.word("default"),
            });
        }
        self.word(";");
    }

    fn function(&mut self, function: &Function) {
        self.ty(&function.result);
        self.word(" ");
        self.word(&function.name.name);
        self.params(&function.params);
        self.word(" ");
        self.block(&function.body);
    }

    fn block(&mut self, block: &Block) {
        self.word("{\n");
        self.indent += 1;
        for decl in &block.decls {
            self.decl(decl);
        }
        for stmt in &block.stmts {
            self.margin();
            self.stmt(stmt);
            self.word("\n");
        }
        self.indent -= 1;
        self.margin();
        self.word("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Error => self.word("<error>"),
            StmtKind::Empty => self.word(";"),
            StmtKind::Expr(expr) => {
                self.expr(expr);
                self.word(";");
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.word("if (");
                self.expr(condition);
                self.word(") ");
                match otherwise {
                    // Braces keep an `else` from joining an inner `if`.
                    Some(_) if ends_with_open_if(then) => {
                        self.word("{ ");
                        self.stmt(then);
                        self.word(" }");
                    }
                    _ => self.stmt(then),
                }
                if let Some(otherwise) = otherwise {
                    self.word(" else ");
                    self.stmt(otherwise);
                }
            }
            StmtKind::While { condition, body } => {
                self.word("while (");
                self.expr(condition);
                self.word(") ");
                self.stmt(body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.word("do ");
                self.stmt(body);
                self.word(" while (");
                self.expr(condition);
                self.word(");");
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                self.word("for (");
                self.expr(init);
                self.word("; ");
                self.expr(condition);
                self.word("; ");
                self.expr(step);
                self.word(") ");
                self.stmt(body);
            }
            StmtKind::ForIn { binder, ty, body } => {
                self.word("for (");
                self.word(&binder.name);
                self.word(" : ");
                self.ty(ty);
                self.word(") ");
                self.stmt(body);
            }
            StmtKind::Return(value) => {
                self.word("return");
                if let Some(value) = value {
                    self.word(" ");
                    self.expr(value);
                }
                self.word(";");
            }
            StmtKind::Assert(condition) => {
                self.word("assert ");
                self.expr(condition);
                self.word(";");
            }
        }
    }
}

/// Whether an `else` after the statement would belong to an `if` inside it.
fn ends_with_open_if(stmt: &Stmt) -> bool {
    let mut stmt = stmt;
    loop {
        stmt = match &stmt.kind {
            StmtKind::If { otherwise: None, .. } => return true,
            StmtKind::If {
                otherwise: Some(last),
                ..
            }
            | StmtKind::While { body: last, .. }
            | StmtKind::For { body: last, .. }
            | StmtKind::ForIn { body: last, .. } => last,
            _ => return false,
        };
    }
}
