//! A pure fold of the event log: counts, chains, quotas, cooldowns, once, taints, variables.
//!
//! Recording: an event and what was decided about it become a [`Record`], one line of the log, with its [`Delta`]s.
//! Folding: a [`SessionLedger`] takes record after record, each in constant time however long the session is.
//! Reading: a [`LedgerView`] is a session as one event sees it; that is what a decision reads, without allocating.
//!
//! Knows no file, no clock and no rule: time comes with the records, and what a rule did comes with their deltas.

mod approvals;
mod call_hash;
mod calls;
mod chain;
mod deed;
mod excerpt;
mod history;
mod keeper;
mod lane;
mod ledger;
mod names;
mod notices;
mod open_calls;
mod queue;
mod record;
mod rule_uses;
mod session;
mod turns;
mod view;
mod windows;

pub use approvals::{Approval, ApprovalState};
pub use call_hash::{call_hash, canonical_json};
pub use calls::Tally;
pub use chain::Unretained;
pub use deed::{Change, Deed};
pub use excerpt::{EXCERPT_BYTES, TEXT_BYTES};
pub use history::{LastText, RECENT, RecentMessage, RecentTool, TokenCount};
pub use keeper::keeper;
pub use ledger::{Ledger, Shared};
pub use notices::{Batch, MAX_WAITING, NOTICE_BYTES, Notice, NoticeState, Notices, Said};
pub use record::{Act, CallSeen, Decided, Delta, LOG_FORMAT, MessageSeen, Record, Seen, What};
pub use rule_uses::{RuleUses, Used};
pub use session::{SNAPSHOT_FORMAT, SessionLedger};
pub use turns::Turns;
pub use view::LedgerView;
pub use windows::Windows;
