//! Operators on what params, results, errors and notifications hold: a member left out, of another type, of another
//! value, or one too many.
//!
//! One family over one table: `table` names the place, the edit and the rule that the edit breaks. It is written from
//! the text of the specification and shares nothing with the tables of the codec.

use std::borrow::Cow;

use arbitrary::Unstructured;

use super::facts::{Kind, kind, method};
use super::layout::{Layout, Shape, insert, splice};
use super::{Edit, Outcome, operators};
use crate::case::{Case, Party, StatedCapabilities, Transport};
use crate::codec::refusal::Reason;
use crate::generate::dictionary::{CAPABILITIES_KEY, MODERN, TASKS, VERSION_HEADER, VERSION_KEY};
use crate::mutation::{Mutation, RequirementId};

mod input;
mod legacy;
mod table;

operators! { Case;
    /// Leaves out a member that a rule asks for.
    DropPayloadMember "drop-payload-member" if has_object => |case, u| apply(case, u, Kinds::Drop);
    /// Puts a value of another JSON type where a rule names the type.
    PayloadWrongType "payload-wrong-type" if has_object => |case, u| apply(case, u, Kinds::Type);
    /// Puts a value of the right type that a rule does not allow.
    PayloadWrongValue "payload-wrong-value" if has_object => |case, u| apply(case, u, Kinds::Value);
    /// Adds a member that a rule does not allow beside the others.
    AddPayloadMember "add-payload-member" if has_object => |case, u| apply(case, u, Kinds::Add);
}

/// Which of the four edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kinds {
    Drop,
    Type,
    Value,
    Add,
}

/// An edit at a path.
#[derive(Clone, Copy, Debug)]
enum How {
    /// The member is gone.
    Drop,
    /// A value of another type stands there.
    Type(&'static str),
    /// A value that is not allowed stands there.
    Value(&'static str),
    /// A member is there that was not.
    Add(&'static str),
}

impl How {
    const fn kind(self) -> Kinds {
        match self {
            Self::Drop => Kinds::Drop,
            Self::Type(_) => Kinds::Type,
            Self::Value(_) => Kinds::Value,
            Self::Add(_) => Kinds::Add,
        }
    }

    const fn operator(self) -> &'static str {
        match self {
            Self::Drop => "drop-payload-member",
            Self::Type(_) => "payload-wrong-type",
            Self::Value(_) => "payload-wrong-value",
            Self::Add(_) => "add-payload-member",
        }
    }

    const fn reason(self) -> Reason {
        match self {
            Self::Drop => Reason::MissingMember,
            Self::Type(_) => Reason::WrongType,
            Self::Value(_) | Self::Add(_) => Reason::WrongValue,
        }
    }
}

/// What carries the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carrier {
    /// A request of a client.
    Request,
    /// A request of a server.
    ServerRequest,
    /// A notification of either side.
    Notification,
    /// A result with this token; without one where it is empty.
    Result(&'static str),
    /// An error.
    Error,
}

/// Rows that hold in the same messages.
struct Group {
    carrier: Carrier,
    /// The methods; any when there is none.
    methods: &'static [&'static str],
    /// The revisions.
    revisions: &'static [&'static str],
    rows: &'static [Row],
}

/// A path from the root of the body, its steps parted by spaces; a step through an array is an index. Then the edit, and
/// the rule that it breaks.
type Row = (&'static str, How, RequirementId);

fn groups() -> impl Iterator<Item = &'static Group> {
    table::GROUPS.iter().chain(&legacy::GROUPS)
}

/// The rules that some row breaks.
pub fn rules() -> impl Iterator<Item = RequirementId> {
    groups().flat_map(|group| group.rows).map(|row| row.2)
}

/// Every edit of a case that breaks a wanted rule, with its record.
pub fn edits(case: &Case, wanted: impl Fn(RequirementId) -> bool) -> Vec<(Case, Mutation)> {
    let Some(layout) = Layout::of(&case.body) else { return Vec::new() };
    let Some(sight) = Sight::of(case, &layout) else { return Vec::new() };
    let groups = groups().filter(|group| group.rows.iter().any(|row| wanted(row.2)));
    let rows = groups.filter(|group| group.holds(&sight)).flat_map(|group| group.rows);
    rows.filter(|row| wanted(row.2))
        .filter_map(|row| {
            let mut changed = case.clone();
            let Edit { path, breaks } = edit(&mut changed, &layout, row)?;
            Some((changed, Mutation { operator: row.1.operator(), path, breaks }))
        })
        .collect()
}

/// What the records of this family say of the final case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing of it is left, or nothing was done.
    Nothing,
    /// The first of them is refused so.
    Refused(Reason),
    /// A later edit met one of them.
    Undecided,
}

/// Looks each record up in the final case. Of edits with several reasons it is not told which one hides the others.
pub(crate) fn standing(case: &Case, mutations: &[Mutation]) -> Standing {
    let mut first = Standing::Nothing;
    let mut layout = None;
    for mutation in mutations.iter().filter(|mutation| FAMILY.iter().any(|one| one.name() == mutation.operator)) {
        if layout.is_none() {
            layout = Layout::of(&case.body);
        }
        let found = layout.as_ref().and_then(|layout| found(case, layout, mutation));
        first = match (found, first) {
            (Some(reason), Standing::Nothing) => Standing::Refused(reason),
            (Some(reason), Standing::Refused(other)) if reason == other => first,
            _ => return Standing::Undecided,
        };
    }
    first
}

/// How the row of a record is refused, while the edit still stands.
fn found(case: &Case, layout: &Layout, mutation: &Mutation) -> Option<Reason> {
    let body = &case.body[..];
    Sight::of(case, layout)?.groups().flat_map(|group| group.rows).find_map(|(path, how, rule)| {
        if !mutation.breaks.contains(rule) || how.operator() != mutation.operator || pointer(path) != mutation.path {
            return None;
        }
        let (holder, last) = path.rsplit_once(' ').unwrap_or(("", path));
        let holder = place(layout, body, holder)?;
        let at = step(layout, body, holder, last);
        let stands = match how {
            How::Drop => at.is_none() && layout.nodes[holder].shape == Shape::Object,
            How::Type(value) | How::Value(value) | How::Add(value) => {
                at.is_some_and(|at| layout.value(body, at) == value.as_bytes())
            }
        };
        stands.then(|| how.reason())
    })
}

fn has_object(case: &Case) -> bool {
    case.body.first() == Some(&b'{')
}

/// Applies the first row of that kind, from a drawn start, whose place is there.
fn apply(case: &mut Case, u: &mut Unstructured<'_>, wanted: Kinds) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    let Some(sight) = Sight::of(case, &layout) else { return Ok(None) };
    let rows: Vec<&Row> = sight.groups().flat_map(|group| group.rows).filter(|row| row.1.kind() == wanted).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let start = u.int_in_range(0..=rows.len() - 1)?;
    Ok((0..rows.len()).find_map(|offset| edit(case, &layout, rows[(start + offset) % rows.len()])))
}

fn edit(case: &mut Case, layout: &Layout, (path, how, rule): &Row) -> Option<Edit> {
    let (holder, last) = path.rsplit_once(' ').unwrap_or(("", path));
    let holder = place(layout, &case.body, holder)?;
    let at = step(layout, &case.body, holder, last);
    match how {
        How::Drop => {
            let span = layout.removal(&case.body, at?);
            splice(&mut case.body, span, b"");
        }
        How::Type(value) | How::Value(value) => {
            if layout.value(&case.body, at?) == value.as_bytes() {
                return None;
            }
            splice(&mut case.body, layout.nodes[at?].value.clone(), value.as_bytes());
        }
        How::Add(value) => {
            if at.is_some() || layout.nodes[holder].shape != Shape::Object {
                return None;
            }
            insert(&mut case.body, layout, holder, format!("\"{last}\":{value}").as_bytes(), false);
        }
    }
    Some(Edit::new(pointer(path), &[rule]))
}

fn place(layout: &Layout, body: &[u8], path: &str) -> Option<usize> {
    path.split_ascii_whitespace().try_fold(0, |index, name| step(layout, body, index, name))
}

fn step(layout: &Layout, body: &[u8], index: usize, name: &str) -> Option<usize> {
    match layout.nodes[index].shape {
        Shape::Array => layout.children(index).nth(name.parse().ok()?),
        _ => layout.member(body, index, name),
    }
}

fn pointer(path: &str) -> String {
    path.split_ascii_whitespace()
        .fold(String::new(), |out, name| out + "/" + &name.replace('~', "~0").replace('/', "~1"))
}

/// What decides which groups hold, told once for all of them.
struct Sight<'a> {
    case: &'a Case,
    layout: &'a Layout,
    kind: Kind,
    method: Option<Cow<'a, [u8]>>,
    revision: Option<Cow<'a, [u8]>>,
}

impl<'a> Sight<'a> {
    /// Nothing holds where the root is no object.
    fn of(case: &'a Case, layout: &'a Layout) -> Option<Self> {
        let body = &case.body[..];
        let kind = kind(body, layout);
        let sight =
            || Self { case, layout, kind, method: method(body, layout), revision: revision(case, layout, kind) };
        (layout.nodes[0].shape == Shape::Object).then(sight)
    }

    fn groups(&self) -> impl Iterator<Item = &'static Group> {
        groups().filter(|group| group.holds(self))
    }
}

impl Group {
    fn holds(&self, sight: &Sight<'_>) -> bool {
        let name = match self.carrier {
            Carrier::Result(_) | Carrier::Error => sight.case.stated.method.as_deref(),
            _ => sight.method.as_deref(),
        };
        let named = |wanted: &&str| name == Some(wanted.as_bytes());
        (self.methods.is_empty() || self.methods.iter().any(named))
            && self.revisions.iter().any(|revision| sight.revision.as_deref() == Some(revision.as_bytes()))
            && self.carries(sight)
            && (self.revisions != [MODERN]
                || !name.is_some_and(|name| name.starts_with(b"tasks/"))
                || understands_tasks(sight.case, sight.layout))
    }

    fn carries(&self, &Sight { case, layout, kind, .. }: &Sight<'_>) -> bool {
        let body = &case.body[..];
        match self.carrier {
            Carrier::Request => kind == Kind::Request && case.from == Party::Client,
            Carrier::ServerRequest => kind == Kind::Request && case.from == Party::Server,
            Carrier::Notification => kind == Kind::Notification,
            Carrier::Error => kind == Kind::Error,
            Carrier::Result(token) => {
                let seen = layout.find(body, &["result", "resultType"]);
                let seen = seen.and_then(|index| layout.text(body, index)).unwrap_or_default();
                let of_tasks = case.stated.method.as_deref() == Some(b"tasks/get");
                // Of a task the requests are part of what it holds.
                let goes_on = ["requestState", "inputRequests"].iter().take(2 - usize::from(of_tasks)).any(|name| {
                    let found = layout.find(body, &["result", name]);
                    found.is_some_and(|index| layout.value(body, index) != b"null")
                });
                kind == Kind::Result && seen == token.as_bytes() && (token != "complete" || !goes_on)
            }
        }
    }
}

/// The revision that the message belongs to by what it says, or else by what is known around it.
fn revision<'a>(case: &'a Case, layout: &Layout, kind: Kind) -> Option<Cow<'a, [u8]>> {
    let body = &case.body[..];
    let stated = case.stated.revision.as_ref().map(|known| Cow::from(known.as_str().as_bytes()));
    let header = case.headers_named(VERSION_HEADER).next();
    if kind != Kind::Request {
        return stated.filter(|_| header.is_none());
    }
    if let Some(index) = layout.find(body, &["params", "_meta", VERSION_KEY]) {
        return layout.text(body, index);
    }
    match header {
        Some(header) if case.transport == Transport::Http => Some(Cow::from(&header.value)),
        _ => stated,
    }
}

fn understands_tasks(case: &Case, layout: &Layout) -> bool {
    let body = &case.body[..];
    match &case.stated.capabilities {
        Some(StatedCapabilities::Extensions(ids)) => ids.iter().any(|id| id == TASKS.as_bytes()),
        Some(_) => false,
        None => layout
            .find(body, &["params", "_meta", CAPABILITIES_KEY, "extensions", TASKS])
            .is_some_and(|index| layout.nodes[index].shape == Shape::Object),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;
    use super::*;

    #[test]
    fn each_operator_does_what_its_record_says() {
        let call = |members: &str| {
            format!(
                "\n{{\"id\":1,\"method\":\"tools/call\",\"params\":{{{members}\"_meta\":{{\"{VERSION_KEY}\":\"2026-07-28\"}}}}}}"
            )
        };
        let result = |content: &str| {
            format!(
                ":from: server\n:context-revision: 2026-07-28\n:context-method: tools/call\n\n\
                 {{\"id\":1,\"result\":{{\"resultType\":\"complete\",\"content\":[{content}]}}}}"
            )
        };
        rows(
            FAMILY,
            &[
                ("drop-payload-member", &call("\"name\":\"a\","), &call(""), &["payload-tools-call-name-required"]),
                (
                    "payload-wrong-type",
                    &call("\"arguments\":{},"),
                    &call("\"arguments\":[],"),
                    &["payload-tools-call-arguments-object"],
                ),
                (
                    "payload-wrong-value",
                    &result("{\"type\":\"text\",\"text\":\"\"}"),
                    &result("{\"type\":\"video\",\"text\":\"\"}"),
                    &["payload-content-block-type-known"],
                ),
                (
                    "add-payload-member",
                    &result("{},{},{\"resource\":{\"text\":\"\"}}"),
                    &result("{},{},{\"resource\":{\"text\":\"\",\"blob\":\"\"}}"),
                    &["payload-content-embedded-resource-fields"],
                ),
            ],
        );
    }

    #[test]
    fn an_edit_that_was_undone_is_not_told() {
        let text = "\n{\"id\":1,\"method\":\"tools/call\",\"params\":{\"_meta\":{\
                    \"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"},\"name\":\"a\"}}";
        let lawful = Case::decode(text.as_bytes()).unwrap();
        let mut broken = lawful.clone();
        let mutation = DropPayloadMember.apply(&mut broken, &mut Unstructured::new(&[])).unwrap().unwrap();
        use super::super::Mutator;
        assert_eq!(standing(&broken, std::slice::from_ref(&mutation)), Standing::Refused(Reason::MissingMember));
        assert_eq!(standing(&lawful, &[mutation]), Standing::Undecided);
        assert_eq!(standing(&broken, &[]), Standing::Nothing);
    }
}
