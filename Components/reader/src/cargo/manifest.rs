//! One manifest.
