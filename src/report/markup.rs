//! HTML, SVG and XML whose tags are ours and whose text can hold anything.
//!
//! Names of elements and attributes are constants of this program; everything else is escaped on its way in, so that
//! no input can open, close or leave an element. It knows no vocabulary: what an element means is the caller's.

use std::borrow::Cow;
use std::fmt::Display;

use crate::escape::acts;

/// Markup under construction.
#[derive(Debug, Default)]
pub struct Markup {
    text: String,
    most: usize,
}

/// Attributes of an element.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

impl Markup {
    /// Markup that begins with a declaration.
    pub fn new(declaration: &'static str) -> Self {
        Self { text: declaration.to_owned(), most: usize::MAX }
    }

    /// The same with every single text or value cut after so many characters.
    pub fn cutting(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// An element and what stands in it.
    pub fn within(&mut self, tag: &'static str, attributes: Attributes<'_>, inside: impl FnOnce(&mut Self)) {
        self.begin(tag, attributes);
        self.text.push('>');
        if tag == "pre" {
            // A reader drops the first line feed of such an element, and an input may begin with one.
            self.text.push('\n');
        }
        inside(self);
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }

    /// An element that holds text.
    pub fn put(&mut self, tag: &'static str, attributes: Attributes<'_>, text: impl Display) {
        self.within(tag, attributes, |inside| inside.text(text));
    }

    /// An element that holds nothing.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.begin(tag, attributes);
        self.text.push_str("/>");
    }

    /// Text.
    pub fn text(&mut self, text: impl Display) {
        escape(&text.to_string(), self.most, &mut self.text);
    }

    /// Markup that this program holds as a constant.
    pub fn constant(&mut self, markup: &'static str) {
        self.text.push_str(markup);
    }

    /// Bytes so far.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }

    fn begin(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(&value.to_string(), self.most, &mut self.text);
            self.text.push('"');
        }
    }
}

/// The text, or its beginning and a mark that there is more.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn escape(text: &str, most: usize, out: &mut String) {
    for character in cut(text, most).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Raw ones would become spaces in an attribute.
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            other if acts(other) => out.extend(other.escape_unicode()),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_or_an_attribute_leaves_its_place() {
        let mut markup = Markup::new("");
        markup.put("p", &[("title", &"\"><script>\n")], "</p>\u{202E}\u{0}'&");
        assert_eq!(
            markup.finish(),
            "<p title=\"&quot;&gt;&lt;script&gt;&#10;\">&lt;/p&gt;\\u{202e}\\u{0}&#39;&amp;</p>\n"
        );
    }
}
