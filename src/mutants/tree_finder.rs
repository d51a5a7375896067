//! Finds the mutants of a program in a language other than Rust, in its syntax tree.

use std::collections::HashSet;
use std::ops::Range;

use super::language::{Combination, MutantLanguage};
use super::mutant::{Mutant, MutationOperator, SwitchForm, SwitchSite};
use super::tree::{MAIN, Node, NodeKind, go_header};

/// A visitor that collects the mutants of a program.
pub(super) struct TreeFinder<'s> {
    pub(super) source: &'s str,
    pub(super) language: MutantLanguage,
    pub(super) found: Vec<Mutant>,
    /// Number of constant constructs that enclose the current node.
    fixed: usize,
    /// Return types of the functions around the current node, the innermost last. An element is `None` if the type
    /// is not known.
    pub(super) returns: Vec<Option<String>>,
    /// Byte range of the outermost function around the current node; `None` outside functions, and in a Go function
    /// that is not copied.
    function: Option<Range<usize>>,
    /// For each Python function around the current node, the names to which a value was assigned. The innermost
    /// function is last.
    assigned: Vec<HashSet<String>>,
    /// Names of the Java variables that the current function declares without a value.
    unset: HashSet<String>,
    /// Whether another statement follows the current statement before the function ends.
    follows: bool,
}

/// Returns all mutants of a tree, in the order in which they are found.
pub(super) fn tree_mutants(source: &str, language: MutantLanguage, tree: &Node) -> Vec<Mutant> {
    let mut finder = TreeFinder {
        source,
        language,
        found: Vec::new(),
        fixed: 0,
        returns: Vec::new(),
        function: None,
        assigned: vec![HashSet::new()],
        unset: HashSet::new(),
        follows: false,
    };
    finder.visit(tree);
    finder.found
}

impl TreeFinder<'_> {
    /// Returns the source text of the node.
    pub(super) fn text(&self, node: &Node) -> &str {
        self.source.get(node.span.clone()).unwrap_or_default()
    }

    /// Returns the operator or name of the node.
    pub(super) fn sign(&self, node: &Node) -> &str {
        self.source.get(node.sign.clone()).unwrap_or_default()
    }

    /// Adds a mutant of an expression: `text` replaces `span`, which is a part of `node`.
    pub(super) fn mutate(&mut self, operator: MutationOperator, span: Range<usize>, text: String, node: &Node) {
        self.push(operator, span, text, &node.span, SwitchForm::Expression);
    }

    /// Adds a mutant that replaces a whole expression.
    pub(super) fn replace(&mut self, operator: MutationOperator, node: &Node, text: String) {
        self.mutate(operator, node.span.clone(), text, node);
    }

    /// Adds a mutant that replaces a whole condition or logical operation.
    pub(super) fn replace_condition(&mut self, operator: MutationOperator, node: &Node, text: String) {
        let form = if self.language.is_c_or_cpp() { SwitchForm::Condition } else { SwitchForm::Expression };
        self.push(operator, node.span.clone(), text, &node.span, form);
    }

    /// Adds a mutant that replaces `span` with `text`, unless `span` is empty or already contains `text`. In a language
    /// with [`Combination::Switches`], the switch replaces the range `around` and has the form `form`.
    fn push(
        &mut self,
        operator: MutationOperator,
        span: Range<usize>,
        text: String,
        around: &Range<usize>,
        form: SwitchForm,
    ) {
        if span.is_empty() || self.source.get(span.clone()).is_none_or(|was| was == text) {
            return;
        }
        let whole = match self.language.combination() {
            Combination::Switches => Some(around.clone()).filter(|_| self.fixed == 0),
            Combination::FunctionCopies => self.function.clone(),
            Combination::Patches => Some(span.clone()),
        };
        let site = whole.map(|whole| SwitchSite { span: whole, text: None, form });
        self.found.push(Mutant { id: 0, operator, line: 0, column: 0, span, text, site });
    }

    fn visit_all(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.visit(node));
    }

    pub(super) fn visit(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Opaque => {}
            NodeKind::Fixed => {
                self.fixed += 1;
                self.visit_all(&node.children);
                self.fixed -= 1;
            }
            NodeKind::Function(returns) => self.function(node, returns.clone()),
            NodeKind::Block => self.block(&node.children),
            NodeKind::Loop => {
                let follows = std::mem::replace(&mut self.follows, true);
                self.visit_all(&node.children);
                self.follows = follows;
            }
            NodeKind::Statement => self.statement(node),
            NodeKind::Jump => self.drop_statement(node),
            NodeKind::Unset => _ = self.unset.insert(self.text(node).to_owned()),
            NodeKind::Return => {
                if self.follows {
                    self.drop_statement(node);
                }
                let is_exit_code = self.returns.last().is_some_and(|returns| returns.as_deref() == Some(MAIN));
                if !(is_exit_code && node.children.iter().all(|value| value.kind == NodeKind::Number)) {
                    node.children.iter().for_each(|value| self.returned(value));
                    self.visit_all(&node.children);
                }
            }
            NodeKind::Condition => {
                node.children.iter().for_each(|condition| self.condition(condition));
                self.visit_all(&node.children);
            }
            NodeKind::Step => {
                // A loop with a different step rarely terminates, so only the parts of the step are mutated.
                node.children.iter().for_each(|step| self.parts(step));
            }
            _ => {
                self.expression(node);
                self.parts(node);
            }
        }
    }

    /// Visits the children of a node.
    fn parts(&mut self, node: &Node) {
        if node.kind == NodeKind::Binary && self.is_stream(node) {
            return self.stream_parts(node);
        }
        let skipped = self.untouched_text(node);
        for (index, child) in node.children.iter().enumerate() {
            if Some(index) != skipped {
                self.visit(child);
            }
        }
    }

    fn block(&mut self, statements: &[Node]) {
        let follows = self.follows;
        for (index, statement) in statements.iter().enumerate() {
            self.follows = follows || index + 1 < statements.len();
            self.visit(statement);
        }
        self.follows = follows;
    }

    fn function(&mut self, node: &Node, returns: Option<String>) {
        let is_outermost = self.function.is_none();
        if is_outermost {
            self.unset.clear();
            // A Go function is copied only if its copies can be called.
            let has_copies = self.language != MutantLanguage::Go || go_header(self.text(node)).is_some();
            self.function = has_copies.then(|| node.span.clone());
        }
        self.returns.push(returns);
        self.assigned.push(HashSet::new());
        let follows = std::mem::replace(&mut self.follows, false);
        self.block(&node.children);
        self.follows = follows;
        self.returns.pop();
        self.assigned.pop();
        if is_outermost {
            self.function = None;
        }
    }

    /// Adds mutants that drop a statement or change its assignment operator, `++` or `--`, and visits the parts of the
    /// statement.
    fn statement(&mut self, node: &Node) {
        let Some(inner) = node.children.first() else { return };
        match inner.kind {
            NodeKind::Assignment => {
                self.assignment(inner, node);
                if !self.declares(inner) {
                    self.drop_statement(node);
                }
                return self.parts(inner);
            }
            NodeKind::Postfix | NodeKind::Prefix if ["++", "--"].contains(&self.sign(inner)) => {
                let other = if self.sign(inner) == "++" { "--" } else { "++" };
                self.in_statement(MutationOperator::Arithmetic, inner.sign.clone(), other.to_owned(), node);
                self.drop_statement(node);
                return self.parts(inner);
            }
            NodeKind::Call => self.drop_statement(node),
            NodeKind::Binary if self.is_stream(inner) || self.is_shift(inner) => {
                self.drop_statement(node);
                return self.stream_parts(inner);
            }
            NodeKind::Other if !inner.children.is_empty() && self.is_list_of_effects(inner) => {
                self.drop_statement(node);
            }
            _ => {}
        }
        self.visit(inner);
    }

    /// Returns whether the assignment may initialize one of the variables to which it assigns. An initialization can't
    /// be dropped, since a Python function would fail where it uses the variable, and a Java program would not compile.
    /// In other languages, the initial value is part of the declaration.
    fn declares(&mut self, assignment: &Node) -> bool {
        let has_no_default = matches!(self.language, MutantLanguage::Python | MutantLanguage::Java);
        if !has_no_default || self.sign(assignment) != "=" {
            return false;
        }
        let mut names = Vec::new();
        assignment.children.iter().take(1).for_each(|target| self.names(target, &mut names));
        if self.language == MutantLanguage::Java {
            return names.iter().any(|name| self.unset.contains(name));
        }
        let Some(assigned) = self.assigned.last_mut() else { return false };
        names.into_iter().filter(|name| assigned.insert(name.clone())).count() > 0
    }

    /// Adds to `found` the names of the variables to which an assignment to `target` assigns.
    fn names(&self, target: &Node, found: &mut Vec<String>) {
        match target.kind {
            NodeKind::Name => found.push(self.text(target).to_owned()),
            NodeKind::Other | NodeKind::Group | NodeKind::List | NodeKind::Assignment => {
                let last = usize::from(target.kind == NodeKind::Assignment);
                let targets = target.children.len() - last.min(target.children.len());
                target.children[..targets].iter().for_each(|inner| self.names(inner, found));
            }
            _ => {}
        }
    }

    /// Returns whether all parts of a node are assignments and calls, as in `await f()`, and the node is neither a
    /// `throw` nor a `delete`.
    fn is_list_of_effects(&self, node: &Node) -> bool {
        node.children.iter().all(|child| matches!(child.kind, NodeKind::Assignment | NodeKind::Call))
            && !self.text(node).starts_with("throw")
            && !self.text(node).starts_with("delete")
    }

    fn drop_statement(&mut self, node: &Node) {
        let text = self.language.nothing().to_owned();
        self.push(MutationOperator::Dropped, node.span.clone(), text, &node.span, SwitchForm::Statement);
    }

    /// Adds a mutant whose switch replaces the whole statement `statement`.
    pub(super) fn in_statement(
        &mut self,
        operator: MutationOperator,
        span: Range<usize>,
        text: String,
        statement: &Node,
    ) {
        self.push(operator, span, text, &statement.span, SwitchForm::Statement);
    }
}
