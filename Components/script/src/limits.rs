//! How much a script may take.

/// How much one run of a script may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls, returns, turns of loops and steps of patterns. A step weighs more in a large heap, since one library call may
    /// walk all of it: one more for each 256 KiB.
    pub steps: u64,
    /// Milliseconds on the clock of [`crate::Scripts`], for what steps measure badly.
    pub timeout_ms: u64,
    /// Bytes that the script may hold at once, its view of the facts included.
    pub memory_bytes: usize,
    /// Bytes of what it returns and hands to `notify`, `log`, `set_state` and `emit`, together; each value weighs 8 more.
    pub output_bytes: usize,
    /// How many actions it may ask for by those functions.
    pub calls: usize,
}

impl Default for Limits {
    /// 50 million steps, 5 seconds, 32 MiB, 64 KiB of output, 64 actions.
    fn default() -> Self {
        Self {
            steps: 50_000_000,
            timeout_ms: 5_000,
            memory_bytes: 32 << 20,
            output_bytes: 64 << 10,
            calls: 64,
        }
    }
}
