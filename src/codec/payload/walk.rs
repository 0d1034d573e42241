//! Does a value have the shape that a table gives it, and if not, where?
//!
//! One pass over the members of each object, each looked up in the table by its name; nothing is allocated unless
//! something is wrong. The recursion is as deep as the tables, never as deep as the message.

use super::rule::{Eras, Force, Rule};
use super::shape::{Field, Shape, Tagged, Type};
use crate::codec::document::{Value, ValueKind};
use crate::codec::id::{Spelling, spelling};
use crate::codec::refusal::Reason;

/// How many broken rules, and how many notes, are kept of one message.
pub const KEPT: usize = 16;

/// One broken rule and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In what way.
    pub reason: Reason,
    /// Of the value, or of what should hold it.
    pub offset: usize,
    /// The rule.
    pub rule: Rule,
}

/// A walk through one payload.
pub struct Walk {
    eras: Eras,
    faults: Vec<Fault>,
    notes: usize,
    /// Inside something of which a fault is worth a note at most.
    only_notes: bool,
}

impl Walk {
    /// A walk under the tables of these revisions.
    pub fn new(eras: Eras) -> Self {
        Self { eras, faults: Vec::new(), notes: 0, only_notes: false }
    }

    /// What was found, in the order of the document.
    pub fn finish(mut self) -> Vec<Fault> {
        self.faults.sort_by_key(|fault| fault.offset);
        self.faults
    }

    /// The revisions of the walk.
    pub fn eras(&self) -> Eras {
        self.eras
    }

    /// From here on a fault is worth a note at most.
    pub fn only_note(&mut self) {
        self.only_notes = true;
    }

    /// A member that is not there.
    pub fn missing(&mut self, holder: usize, rule: Rule) {
        self.fault(Reason::MissingMember, holder, rule);
    }

    /// A value of another JSON type.
    pub fn wrong_type(&mut self, value: Value<'_>, rule: Rule) {
        self.fault(Reason::WrongType, value.offset(), rule);
    }

    /// A value of the right type that is none of those that exist.
    pub fn wrong_value(&mut self, value: Value<'_>, rule: Rule) {
        self.fault(Reason::WrongValue, value.offset(), rule);
    }

    fn fault(&mut self, reason: Reason, offset: usize, mut rule: Rule) {
        if self.only_notes {
            rule.force = Force::Note;
        }
        if !rule.eras.meets(self.eras) || self.is_full() {
            return;
        }
        if rule.force == Force::Note {
            if self.notes == KEPT {
                return;
            }
            self.notes += 1;
        }
        self.faults.push(Fault { reason, offset, rule });
    }

    /// Whether enough was found.
    pub fn is_full(&self) -> bool {
        self.faults.len() - self.notes >= KEPT
    }

    /// Judges the members of an object; where there is none, every member that is owed is missing at `holder`.
    pub fn members(&mut self, of: &Type, value: Option<Value<'_>>, holder: usize, rule: Rule) {
        let mut seen = 0_u32;
        for (name, member) in value.into_iter().flat_map(Value::members) {
            let known = |field: &Field| field.eras.meets(self.eras) && name.is(field.name);
            let Some(at) = of.fields.iter().position(known) else { continue };
            seen |= 1 << at;
            self.field(&of.fields[at], member);
            if self.is_full() {
                return;
            }
        }
        for (at, field) in of.fields.iter().enumerate() {
            if let Some(absent) = field.absent.filter(|_| seen & 1 << at == 0 && field.eras.meets(self.eras)) {
                self.missing(holder, absent);
            }
        }
        if let (Some(check), Some(value)) = (of.check, value) {
            check(self, value, rule);
        }
    }

    fn field(&mut self, field: &Field, value: Value<'_>) {
        let before = self.only_notes;
        self.only_notes |= field.rule.force == Force::Note;
        self.value(&field.shape, value, field.rule);
        self.only_notes = before;
    }

    /// Judges one value. `rule` is what a wrong type breaks.
    pub fn value(&mut self, shape: &Shape, value: Value<'_>, rule: Rule) {
        let right = match shape {
            Shape::Any => true,
            Shape::Text => value.kind() == ValueKind::String,
            Shape::Bool => value.kind() == ValueKind::Bool,
            Shape::Number => value.kind() == ValueKind::Number,
            Shape::Integer => is_integer(value),
            Shape::Id => value.kind() == ValueKind::String || is_integer(value),
            Shape::Open => value.is_object(),
            Shape::Alien => return self.wrong_value(value, rule),
            Shape::Check(check) => return check(self, value, rule),
            Shape::Words(words) => return self.words(words, value, rule),
            Shape::Form(form) => match value.as_text() {
                Some(text) if !(form.holds)(text) => return self.wrong_value(value, form.rule),
                text => text.is_some(),
            },
            Shape::Bounded(bound) => match value.as_number() {
                Some(_) if bound.integer && !is_integer(value) => false,
                Some(number) if !(bound.holds)(number) => return self.wrong_value(value, bound.rule),
                number => number.is_some(),
            },
            Shape::Object(of) if value.is_object() => return self.members(of, Some(value), value.offset(), rule),
            Shape::Object(_) => false,
            Shape::Inside(of) => {
                if value.is_object() {
                    self.members(of, Some(value), value.offset(), rule);
                }
                return;
            }
            Shape::Array(of) if value.kind() == ValueKind::Array => return self.each(of, value.elements(), rule),
            Shape::Array(_) => false,
            Shape::Map(of) if value.is_object() => {
                return self.each(of, value.members().map(|(_, member)| member), rule);
            }
            Shape::Map(_) => false,
            Shape::OneOrMany(of) if value.kind() == ValueKind::Array => {
                return self.each(of, value.elements(), rule);
            }
            Shape::OneOrMany(of) => return self.value(of, value, rule),
            Shape::Nullable(of) => {
                if value.kind() != ValueKind::Null {
                    self.value(of, value, rule);
                }
                return;
            }
            Shape::Tagged(of) if value.is_object() => return self.tagged(of, value),
            Shape::Tagged(_) => false,
        };
        if !right {
            self.wrong_type(value, rule);
        }
    }

    fn each<'a>(&mut self, shape: &Shape, values: impl Iterator<Item = Value<'a>>, rule: Rule) {
        for value in values {
            if self.is_full() {
                return;
            }
            self.value(shape, value, rule);
        }
    }

    fn words(&mut self, words: &[&str], value: Value<'_>, rule: Rule) {
        match value.as_text() {
            None => self.wrong_type(value, rule),
            Some(text) if !words.iter().any(|word| text.is(word)) => self.wrong_value(value, rule),
            Some(_) => {}
        }
    }

    fn tagged(&mut self, of: &Tagged, value: Value<'_>) {
        let holder = value.offset();
        let Some(tag) = value.get(of.tag) else {
            return match of.default {
                Some(default) => self.members(default, Some(value), holder, of.rule),
                None => self.missing(holder, of.rule),
            };
        };
        let Some(text) = tag.as_text() else { return self.wrong_type(tag, of.rule) };
        match of.variants.iter().find(|variant| text.is(variant.word)) {
            Some(variant) if variant.eras.meets(self.eras) => self.members(variant.of, Some(value), holder, of.rule),
            Some(variant) => self.wrong_value(tag, variant.outside),
            None => {
                self.wrong_value(tag, of.rule);
                if let Some((_, rule)) = of.elsewhere.iter().find(|(word, _)| text.is(word)) {
                    self.wrong_value(tag, *rule);
                }
            }
        }
    }
}

fn is_integer(value: Value<'_>) -> bool {
    value.as_number().is_some_and(|number| spelling(number.as_bytes()) != Spelling::Fraction)
}
