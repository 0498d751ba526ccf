#!/usr/bin/env python3
"""Types lines into a program of the terminal: each once its screen stands still, and the next one after that.

    terminal.py '["a line", "/another"]' PROGRAM ARGUMENT...

What the program draws goes to standard output. Exits as the program does, with 1 where it does not end by itself.
"""
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

STILL_S = 2.5
LIMIT_S = 110


def main():
    lines, program = json.loads(sys.argv[1]), sys.argv[2:]
    child, screen = pty.fork()
    if child == 0:
        os.execvp(program[0], program)
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    ends, drawn = time.monotonic() + LIMIT_S, None
    while time.monotonic() < ends:
        if select.select([screen], [], [], 0.1)[0]:
            try:
                part = os.read(screen, 65536)
            except OSError:
                part = b""
            if not part:
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            sys.stdout.buffer.write(part)
            sys.stdout.flush()
            drawn = time.monotonic()
        elif lines and drawn and time.monotonic() - drawn > STILL_S:
            os.write(screen, lines.pop(0).encode())
            # The end of a line that comes with its text is taken for pasted text.
            time.sleep(0.5)
            os.write(screen, b"\r")
            drawn = time.monotonic()
    os.kill(child, 9)
    return 1


sys.exit(main())
