"""Loads the daemon, kills it, fills its disk, and looks for what was acknowledged and is gone.

argv: the engine, seconds of load a round, rounds.
"""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

engine, seconds, rounds = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
CLIENTS = 16
RULES = """shield_name: soak
version: 1
rules:
- {id: no-drop, when: {tool: sql}, then: block, message: no}
- {id: ask, when: {tool: deploy}, then: approve, message: ask}
"""
found = []


def finding(text):
    found.append(text)
    print(f"FOUND: {text}", flush=True)


class House:
    """A workspace with its daemon."""

    def __init__(self, folder, state):
        self.root, self.env = folder, dict(os.environ, XDG_STATE_HOME=state, XDG_CONFIG_HOME=state, HOME=state)
        (folder / ".pi/rules").mkdir(parents=True, exist_ok=True)
        (folder / ".pi/rules/soak.yaml").write_text(RULES)

    def run(self, *args):
        return subprocess.run([engine, *args], cwd=self.root, env=self.env, capture_output=True, text=True)

    def start(self):
        self.process = subprocess.Popen(
            [engine, "serve", "--port", "0", "--json"],
            cwd=self.root, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.address = json.loads(self.process.stdout.readline())["listening"]

    def decide(self, connection, session, tool, args):
        event = {"event": "pre_tool_call", "session": session, "tool": {"name": tool, "args": args}}
        connection.request("POST", "/api/v1/decide", json.dumps(event), {"content-type": "application/json"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    def connect(self):
        return http.client.HTTPConnection(self.address, timeout=60)

    def kilobytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def load(house, until, acknowledged, name):
    """Decides until the time is up or the daemon is gone, and notes what was acknowledged."""
    connection, number = house.connect(), 0
    while time.monotonic() < until:
        key = f"{name}-{number}"
        try:
            status, answer = house.decide(connection, f"load-{name}", "read", {"key": key})
        except (OSError, http.client.HTTPException, ValueError):
            return
        if status == 200 and answer["decision"] == "allow":
            acknowledged.append(key)
        number += 1


def under_load(house, length, name, then):
    acknowledged = [[] for _ in range(CLIENTS)]
    until = time.monotonic() + length
    threads = [
        threading.Thread(target=load, args=(house, until + 60, acknowledged[n], f"{name}-{n}")) for n in range(CLIENTS)
    ]
    if then is None:
        threads = [threading.Thread(target=load, args=(house, until, acknowledged[n], f"{name}-{n}")) for n in range(CLIENTS)]
    [thread.start() for thread in threads]
    if then:
        time.sleep(length)
        then()
    [thread.join() for thread in threads]
    return [key for keys in acknowledged for key in keys]


def killed(house):
    for round_ in range(rounds):
        house.start()
        asked = house.decide(house.connect(), f"approvals-{round_}", "deploy", {"n": round_})[1]
        if house.run("approvals", "grant", asked["approval"]).returncode:
            finding("an approval could not be granted")
        keys = under_load(house, seconds, f"kill-{round_}", lambda: house.process.send_signal(signal.SIGKILL))
        house.process.wait()
        verified = house.run("audit", "verify")
        if verified.returncode:
            finding(f"the chain is broken after kill -9: {verified.stdout}")
        lines = json.loads(house.run("audit", "export", "--format", "json").stdout)
        there = {line["args"]["key"] for line in lines if isinstance(line.get("args"), dict) and "key" in line["args"]}
        lost = [key for key in keys if key not in there]
        if lost:
            finding(f"{len(lost)} of {len(keys)} acknowledged decisions are gone: {lost[:3]}")
        house.start()
        again = house.decide(house.connect(), f"approvals-{round_}", "deploy", {"n": round_})[1]
        if again["decision"] != "allow":
            finding("a granted approval is gone after kill -9")
        house.process.send_signal(signal.SIGTERM)
        if house.process.wait(timeout=30):
            finding("SIGTERM did not end it in good order")
        print(f"kill -9, round {round_ + 1}: {len(keys)} acknowledged, {len(lost)} lost", flush=True)


def full(house, state):
    disk = pathlib.Path(state) / "mentci"
    disk.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        print("disk full: left out, no tmpfs can be mounted", flush=True)
        return
    try:
        house.start()
        connection = house.connect()
        house.decide(connection, "full", "read", {"n": 0})
        filler = disk / "filler"
        with open(filler, "wb") as file:
            try:
                while True:
                    file.write(b"x" * 65536)
                    file.flush()
            except OSError:
                pass
        for number in range(200):
            status, answer = house.decide(connection, "full", "sql", {"n": number})
            if answer["decision"] != "block":
                finding(f"with a full disk a refusal became {answer['decision']} ({status})")
                break
        filler.unlink()
        status, answer = house.decide(connection, "full", "read", {"n": "after"})
        if (status, answer["decision"]) != (200, "allow"):
            finding(f"with room again it answers {status} {answer}")
        house.process.send_signal(signal.SIGTERM)
        house.process.wait(timeout=30)
        if house.run("audit", "verify").returncode:
            finding("the chain is broken after a full disk")
        print("disk full: refusals stayed refusals, and it goes on", flush=True)
    finally:
        house.process.kill()
        subprocess.run(["umount", disk])


def memory(house):
    house.start()
    under_load(house, seconds, "warm", None)
    before = house.kilobytes()
    keys = under_load(house, 2 * seconds, "memory", None)
    grown = house.kilobytes() - before
    print(f"memory: {before} KB, and {grown} KB more after {len(keys)} decisions", flush=True)
    if grown > max(20_000, before // 2):
        finding(f"memory grows: {grown} KB in {len(keys)} decisions")
    house.process.send_signal(signal.SIGTERM)
    house.process.wait(timeout=30)


with tempfile.TemporaryDirectory(prefix="mentci-soak-") as folder:
    folder = pathlib.Path(folder)
    for part in (killed, memory):
        state = folder / f"{part.__name__}-state"
        state.mkdir()
        part(House(folder / part.__name__, str(state)))
    state = folder / "full-state"
    state.mkdir()
    full(House(folder / "full", str(state)), str(state))

print(f"{len(found)} findings")
sys.exit(1 if found else 0)
