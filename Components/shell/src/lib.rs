//! a command string to the commands that it runs.
