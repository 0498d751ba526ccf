//! configuration, trust and disk wired to a host
