//! Markdown, Cap'n Proto schema, Cargo manifest and EDN, read into documents with spans
