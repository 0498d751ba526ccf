//! Cargo manifests: a workspace's facts, with inheritance resolved and places kept.
//!
//! [`member_patterns`] says which files to look for, [`read_workspace`] reads them together, [`pieces`] accounts for
//! every byte of one manifest that is not blank.

mod dependency;
mod facts;
mod lint;
mod manifest;
mod member;
mod patterns;
mod piece;
mod workspace;

pub use facts::{Dependency, DependencyKind, Fact, Lint, Member, Target, WorkspaceFacts};
pub use patterns::{MemberPatterns, Pattern, member_patterns};
pub use piece::{Piece, Subject, pieces};
pub use workspace::read_workspace;
