//! Tests that cross the crates, a module for each file, in one program: each program links all of them once more.

mod changes;
mod editor;
mod layout;
mod real_sessions;
mod test_files;
mod text_is_data;
