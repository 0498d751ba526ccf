//! event log, approvals, switches and settings: in memory and in SQLite.
