"""Prints the seconds that PolicyShield takes for a call: RULES TOOL BLOCKED-PATH ALLOWED-PATH ROUNDS."""

import sys
import time

from policyshield.core.parser import load_rules
from policyshield.shield.engine import ShieldEngine

CALLS = 20

rules, tool, blocked, allowed, rounds = sys.argv[1:]
engine = ShieldEngine(load_rules(rules))
for path, verdict in ((blocked, "BLOCK"), (allowed, "ALLOW")):
    assert engine.check(tool, {"path": path}).verdict.value == verdict, path


def each():
    start = time.perf_counter()
    for _ in range(CALLS):
        engine.check(tool, {"path": blocked})
    return (time.perf_counter() - start) / CALLS


print(min(each() for _ in range(int(rounds))))
