"""The peers of the artifact store: one commit for each put, and the same bytes in plain files.

python3 context.py puts DB COUNT BYTES JOURNAL   each artifact in a transaction of its own, synchronous=FULL;
                                                 the journal is `delete`, as SQLite has it unless told, or `wal`
Prints the seconds that it took.
"""

import hashlib
import os
import sqlite3
import sys
import time


def contents(count, size):
    for number in range(count):
        yield (f"{number:012d} line of a tool's output\n" * (size // 35 + 1))[:size].encode()


def puts(path, count, size, journal):
    for end in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(path + end):
            os.remove(path + end)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode={journal}")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE artifacts (id TEXT PRIMARY KEY, content BLOB, created REAL)")
    made = list(contents(count, size))
    started = time.perf_counter()
    for content in made:
        digest = hashlib.sha256(content).hexdigest()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT OR IGNORE INTO artifacts VALUES (?, ?, ?)", (digest, content, time.time()))
        connection.execute("COMMIT")
    return time.perf_counter() - started


if __name__ == "__main__":
    print(puts(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]))
