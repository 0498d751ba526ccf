//! sources and lock to norms, digest, coverage map and lock
