//! Policy: files of rules to a rulebook, events to verdicts.
//!
//! - Reading: files of rules to a [`Rulebook`], each file whole or not at all.
//! - Admitting: an event as a door tells it, with the commands and files that it is about ([`admit`]).
//! - Judging: an admitted event and the log to a verdict and the log's next line ([`judge`]).
//! - Replaying: a recorded session through a rulebook ([`replay`]).

mod admit;
mod answer;
mod cascade;
mod closed;
mod command_facts;
mod event_line;
mod expr_lines;
mod found;
mod judge;
mod lint;
mod outside;
mod place;
mod plain_path;
mod plugin;
mod replay;
mod request;
mod rulebook;
mod spelling;
mod statements;
mod tests;
mod touched;
mod trial;
mod vocabulary;
mod whole;
mod within;
mod zone;

pub use admit::{FOLDER_FACT, admit};
pub use answer::{
    ApprovalRow, ApprovalsAnswer, FormatAnswer, Line, LinesAnswer, NotificationRow, NotificationsAnswer,
    PackAnswer, PackState, ParameterRow, RuleRow, RuleShown, RulesAnswer, RulesTitle, StopRow, StopsAnswer,
    TestRow, TestsAnswer, TextAnswer,
};
pub use cascade::Cascade;
pub use closed::closed;
pub use event_line::{MOST_SESSION, problem, session_problem};
pub use expr_lines::{evaluate_expr, evaluate_lines};
pub use judge::{Court, Judgement, judge, judge_beside};
pub use lint::{Arguments, Known, Tools, lint, read_tools};
pub use mentci_dialect::{Gate, Gates};
pub use outside::{Outside, UtcOnly, Zones};
pub use place::{Place, Places, add_places};
pub use plugin::{
    CapabilityRow, PluginRequest, PluginRow, PluginShown, PluginState, PluginsAnswer, SettingRow,
};
pub use replay::{Answered, LogLine, OffsetAt, mended_lines, read_event, read_log, read_log_so_far, replay};
pub use request::{Input, PolicyRequest};
pub use rulebook::{Alone, PluginHome, RuleFile, Rulebook, Whole, file_gates, read_file, stem};
pub use tests::run_tests;
pub use trial::{ScriptRunAnswer, TrialAnswer, fault_if_set, is_of_kind, sample_event, script_facts, try_on};

pub use vocabulary::{TOOLS, Tool, canonical};

pub use mentci_pdp::GuardTrace;
