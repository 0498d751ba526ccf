//! the only crate that touches the user's files: walk, watch, lock, publish atomically
