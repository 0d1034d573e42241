//! The command of the same name as the library.

fn main() {}
