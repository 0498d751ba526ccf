//! the ChatMD document: lossless parse and print, blocks with provenance.
