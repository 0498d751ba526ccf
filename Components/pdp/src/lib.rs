//! the policy decision point: rules to a program, program and event to a decision.
