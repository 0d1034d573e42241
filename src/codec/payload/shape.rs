//! What a table of a payload is made of: types, fields, shapes.
//!
//! Data only; [`super::walk`] interprets it. Objects are open, so a table never forbids a member that it does not name.

use super::rule::{Eras, Rule};
use super::walk::Walk;
use crate::codec::document::{Text, Value};

/// An object type.
pub struct Type {
    /// What is known of its members.
    pub fields: &'static [Field],
    /// What holds between the members.
    pub check: Option<Check>,
}

/// A rule that no table expresses; called with the value and the rule of the place where it stands.
pub type Check = fn(&mut Walk, Value<'_>, Rule);

/// One member of an object type.
#[derive(Clone, Copy)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// The rule that says what it holds.
    pub rule: Rule,
    /// The rule that says that it is there.
    pub absent: Option<Rule>,
    /// The revisions that have it.
    pub eras: Eras,
}

/// What a value looks like.
#[derive(Clone, Copy)]
pub enum Shape {
    /// Anything, `null` included.
    Any,
    /// A string.
    Text,
    /// One of these strings.
    Words(&'static [&'static str]),
    /// A string of a certain form.
    Form(&'static Form),
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A number without a fraction in its value, however spelled.
    Integer,
    /// A number within bounds.
    Bounded(&'static Bound),
    /// A string or an integer: a request id or a progress token.
    Id,
    /// An object of a type.
    Object(&'static Type),
    /// The inside of an object that another stage knows to be one.
    Inside(&'static Type),
    /// An object.
    Open,
    /// An array of a shape.
    Array(&'static Shape),
    /// An object whose values have a shape, whatever their names.
    Map(&'static Shape),
    /// One value of the shape, or an array of them.
    OneOrMany(&'static Shape),
    /// The shape, or `null`.
    Nullable(&'static Shape),
    /// One of several types, told apart by a member.
    Tagged(&'static Tagged),
    /// A member that is not part of the type.
    Alien,
    /// Whatever a function says.
    Check(Check),
}

/// A form of a string and the rule that asks for it.
pub struct Form {
    /// Whether the text has it.
    pub holds: fn(Text<'_>) -> bool,
    /// The rule.
    pub rule: Rule,
}

/// Bounds of a number and the rule that sets them.
pub struct Bound {
    /// Whether the number has to be an integer.
    pub integer: bool,
    /// Whether the spelling of the number is within.
    pub holds: fn(&str) -> bool,
    /// The rule.
    pub rule: Rule,
}

/// Types told apart by a member.
pub struct Tagged {
    /// The name of the member.
    pub tag: &'static str,
    /// The rule that says which values it has.
    pub rule: Rule,
    /// The type that is meant when the member is missing, if it may be.
    pub default: Option<&'static Type>,
    /// The types.
    pub variants: &'static [Variant],
    /// Values that belong to another place, and the rule that says so.
    pub elsewhere: &'static [(&'static str, Rule)],
}

/// One of several types.
pub struct Variant {
    /// The value of the member.
    pub word: &'static str,
    /// The type.
    pub of: &'static Type,
    /// The revisions that have it, and the rule that keeps it out of the others.
    pub eras: Eras,
    /// The rule broken where the revision does not have it.
    pub outside: Rule,
}

impl Type {
    /// A type of members alone.
    pub const fn of(fields: &'static [Field]) -> Self {
        Self { fields, check: None }
    }

    /// A type with a rule between its members.
    pub const fn checked(fields: &'static [Field], check: Check) -> Self {
        Self { fields, check: Some(check) }
    }
}

/// A member that has to be there.
pub const fn required(name: &'static str, shape: Shape, rule: Rule) -> Field {
    Field { name, shape, rule, absent: Some(rule), eras: rule.eras }
}

/// A member that may be missing.
pub const fn optional(name: &'static str, shape: Shape, rule: Rule) -> Field {
    Field { name, shape, rule, absent: None, eras: rule.eras }
}

impl Field {
    /// Has to be there by another rule than the one about its shape.
    pub const fn owed(mut self, rule: Rule) -> Self {
        self.absent = Some(rule);
        self
    }

    /// Exists in these revisions only.
    pub const fn within(mut self, eras: Eras) -> Self {
        self.eras = eras;
        self
    }
}

impl Variant {
    /// A type of every revision.
    pub const fn new(word: &'static str, of: &'static Type, rule: Rule) -> Self {
        Self { word, of, eras: Eras::ANY, outside: rule }
    }

    /// A type of these revisions; in others its tag breaks the rule.
    pub const fn within(mut self, eras: Eras, outside: Rule) -> Self {
        self.eras = eras;
        self.outside = outside;
        self
    }
}
