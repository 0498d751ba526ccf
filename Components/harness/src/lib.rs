//! the doors to agent harnesses: injection and its placement
