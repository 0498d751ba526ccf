//! From law and lessons to Absolute Rules, in passes: each is one function with one named value out.
//!
//! 1. **Read** ([`read_law`]): one Markdown source -> [`LawReading`]: norms, and all that is no norm, each source alone.
//!    [`read_lessons`](lessons::read_lessons): one EDN file -> [`LessonFile`](lessons::LessonFile).
//! 2. **Compile a skill** ([`compile_skill`]): law and lessons -> [`SkillCompiled`]: resolved, numbered, emitted. Keep it
//!    as long as its input is the same and [`SkillCompiled::is_current`].
//! 3. **Compile the workspace** ([`compile_workspace`]): compiled skills, the workspace's own law, schemas and manifests
//!    -> [`WorkspaceCompiled`]: the core of every skill inside a hard budget.
//!
//! A compile is pure. With [`Condense::Ask`] it asks beside its result: each [`Question`] is a statement for which the lock holds no
//! shorter line. Whoever can ask a model does, [verifies](Question::verify) what it says, puts it into the lock and compiles again.
//!
//! Publish [`DigestFiles`]: lock, then map, then digest, whose [`Seal`] is the commit point.
//!
//! Knows nothing about files, time or models.

pub mod lessons;

mod against;
mod body;
mod both_ways;
mod budget;
mod called;
mod case;
mod concern;
mod condense;
mod conflict;
mod cover;
mod coverage;
mod elsewhere;
mod fact;
mod files;
mod gather;
mod harmless;
mod inventory;
mod law;
mod line;
mod lock;
mod manifest;
mod map;
mod merge;
mod number;
mod remainder;
mod remarks;
mod resolve;
mod schema;
mod skill;
mod skill_digest;
mod stale;
mod tally;
mod twins;
mod unframed;
mod verify;
mod words;
mod workspace;
mod workspace_digest;

pub use condense::{Condense, Question, Shortened};
pub use coverage::{Coverage, CoveragePlace, verify_coverage};
pub use elsewhere::{Elsewhere, ExplicitLaw, may_touch};
pub use files::{
    DIGEST_FORMAT, DigestFiles, Seal, check_digest_format, check_map_format, is_known_map, split_seal,
};
pub use inventory::{Asked, FixedInventory, Inventory, Names};
pub use law::{LawKind, LawReading, SectionsRead, read_law, read_law_again};
pub use lock::{read_lock, write_lock};
pub use manifest::ManifestSources;
pub use merge::{Joining, merge};
pub use schema::SchemaSource;
pub use skill::{SkillCompiled, SkillInput, SkillOptions, compile_skill, scope_of};
pub use verify::{Original, Refusal, RefusalReason, numbers, verify};
pub use workspace::{
    WorkspaceCompiled, WorkspaceCompiler, WorkspaceInput, WorkspaceOptions, compile_workspace,
};
