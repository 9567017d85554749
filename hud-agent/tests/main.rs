//! Tests of the crate, a module for each file, in one program: each program links the whole crate once more.

mod budget;
mod derived;
mod dialogues;
mod earlier;
mod golden;
mod imported;
mod live_and_recorded;
mod live_clients;
mod named;
mod orders;
mod outputs;
mod plans;
mod processes;
mod reading;
mod recordings;
mod reminder;
mod rules;
mod secrets;
mod section;
mod session;
mod sources;
mod stated;
mod transcript;
mod voice;
mod whose_words;
