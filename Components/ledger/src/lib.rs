//! a pure fold of the event log: counts, chains, quotas, cooldowns, taints.
