//! The tables of `artifacts.db`.

/// The format of the file: SQLite's `user_version`. A newer one is refused.
pub(super) const ARTIFACTS_FORMAT: u32 = 1;

/// What makes format n + 1 out of format n. A step is never changed once shipped.
pub(super) const STEPS: &[&str] = &["
    CREATE TABLE artifacts (
        number INTEGER PRIMARY KEY,
        id BLOB NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        newlines INTEGER NOT NULL,
        created_at REAL NOT NULL,
        -- When it was stored last.
        held_at REAL NOT NULL,
        mime_type TEXT NOT NULL,
        source TEXT NOT NULL,
        summary TEXT NOT NULL,
        is_pinned INTEGER NOT NULL DEFAULT 0,
        is_indexed INTEGER NOT NULL DEFAULT 0
    );
    -- A content in pieces: the nth of an artifact stands at its number * 2^24 + n.
    CREATE TABLE chunks (
        place INTEGER PRIMARY KEY,
        hash BLOB NOT NULL,
        newlines INTEGER NOT NULL,
        bytes BLOB NOT NULL
    );
    CREATE TABLE holds (
        session TEXT NOT NULL,
        number INTEGER NOT NULL,
        held_at REAL NOT NULL,
        PRIMARY KEY (session, number)
    ) WITHOUT ROWID;
    CREATE INDEX holds_number ON holds (number);
    -- The index of words is made at the first search: a few KiB of text a row, at places as above.
    CREATE TABLE blocks (
        place INTEGER PRIMARY KEY,
        start INTEGER NOT NULL,
        end INTEGER NOT NULL,
        line INTEGER NOT NULL
    );
    CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'unicode61');
"];

/// Makes the index of words anew: it is nothing but what contents say.
pub(super) const NEW_INDEX: &str = "
    DROP TABLE words;
    DELETE FROM blocks;
    UPDATE artifacts SET is_indexed = 0;
    CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'unicode61');
";

/// So many pieces an artifact can have.
pub(super) const MOST_CHUNKS: u64 = 1 << PLACE_BITS;

/// How far the number of an artifact is moved in a place.
pub(super) const PLACE_BITS: u32 = 24;

/// The place of an artifact's nth piece.
pub(super) fn place(number: i64, nth: u64) -> i64 {
    (number << PLACE_BITS) + i64::try_from(nth).unwrap_or(i64::MAX >> 1)
}

/// The first place behind those of an artifact.
pub(super) fn end(number: i64) -> i64 {
    (number + 1) << PLACE_BITS
}
