#!/usr/bin/env node
// Drives the real pi coding agent, offline, against the scripted model, and leaves what happened behind.
//
//   node pi-drive.mjs STORY.json
//
// STORY {
//   "pi":        pi's cli.js
//   "node":      the node that runs pi
//   "workspace": the project that pi works in (its .pi/extensions are loaded and trusted)
//   "out":       a folder for what is left behind; also holds pi's home, so two stories never meet
//   "env":       more variables for pi, such as MENTCI_POLICY_ENGINE
//   "script":    the model's script, see model-server.mjs
//   "sessions":  [[STEP, …], …]   each inner list is one pi process; the second and later ones `--continue`
// }
// STEP  { "prompt": "text" }                     until the run has settled
//       { "prompt": "text", "steer": "text" }    steers as soon as the run's first tool starts
//       { "prompt": "text", "confirm": true }    says so to whatever extensions ask meanwhile
//       { "prompt": "/command", "runs": true }   an extension's command, which itself starts a run
//       { "compact": true }
//       { "write": "path in the workspace", "text": "…" }
//       { "remove": "path in the workspace" }
//
// Left in `out`: requests.jsonl (what the model was shown), events.jsonl (what pi said in rpc mode),
// stderr.log. Exit code 0 when each step was accepted, 1 otherwise.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serve } from "./model-server.mjs";

const STEP_LIMIT_MS = 60_000;

const story = JSON.parse(readFileSync(process.argv[2], "utf8"));
const left = (name) => join(story.out, name);
mkdirSync(story.out, { recursive: true });
for (const name of ["events.jsonl", "stderr.log"]) writeFileSync(left(name), "");
const model = await serve({ script: story.script, log: left("requests.jsonl") });
/** Tells pi of the scripted model, and lets compaction cut as soon as it is asked to. */
function furnishHome(port) {
  const agent = left("home/.pi/agent");
  mkdirSync(agent, { recursive: true });
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const scripted = { id: "scripted-1", name: "Scripted", reasoning: false, input: ["text"], cost };
  const provider = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    api: "openai-completions",
    apiKey: "none",
    models: [{ ...scripted, contextWindow: 128_000, maxTokens: 4096 }],
  };
  writeFileSync(join(agent, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
  writeFileSync(
    join(agent, "settings.json"),
    JSON.stringify({
      defaultProvider: "scripted",
      defaultModel: "scripted-1",
      defaultProjectTrust: "always",
      enableInstallTelemetry: false,
      quietStartup: true,
      compaction: { enabled: true, keepRecentTokens: 1, reserveTokens: 1000 },
    }),
  );
}

/** One pi process, from its start to its end. */
async function session(steps, again) {
  const pi = new Pi(again);
  try {
    for (const step of steps) await take(pi, step);
  } finally {
    await pi.end();
  }
}

async function take(pi, step) {
  const place = (path) => join(story.workspace, path);
  if (step.write) {
    mkdirSync(dirname(place(step.write)), { recursive: true });
    return writeFileSync(place(step.write), step.text);
  }
  if (step.remove) return rmSync(place(step.remove), { recursive: true, force: true });
  if (step.compact) return pi.ask({ type: "compact" });
  pi.confirms = step.confirm;
  const settled = pi.settled();
  const steered = step.steer && pi.until((event) => event.type === "tool_execution_start");
  await pi.ask({ type: "prompt", message: step.prompt });
  if (steered) {
    await steered;
    await pi.ask({ type: "steer", message: step.steer });
  }
  // A command is answered at once and by itself starts no run.
  if (step.prompt.startsWith("/") && !step.runs) return settled.forget();
  await settled;
}

/** pi in rpc mode: commands in, events out, a line each. */
class Pi {
  #watchers = new Set();
  #asked = 0;
  #rest = "";

  constructor(again) {
    const env = {
      PATH: `${dirname(story.node)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: left("home"),
      TMPDIR: process.env.TMPDIR ?? "/tmp",
      LANG: "C.UTF-8",
      TERM: "dumb",
      NO_COLOR: "1",
      NO_PROXY: "127.0.0.1",
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      PI_SKIP_VERSION_CHECK: "1",
      ...story.env,
    };
    const args = [story.pi, "--mode", "rpc", "--provider", "scripted", "--model", "scripted-1"];
    if (this.#trustsOnlyWhenTold()) args.push("--approve");
    if (again) args.push("--continue");
    const stderr = openSync(left("stderr.log"), "a");
    this.process = spawn(story.node, args, { cwd: story.workspace, env, stdio: ["pipe", "pipe", stderr] });
    this.process.stdout.setEncoding("utf8").on("data", (text) => this.#hear(text));
    this.ended = new Promise((done) => this.process.on("exit", done));
  }

  /** pi since 0.87 leaves a project's extensions out without a word unless it is approved; before, it has no such flag. */
  #trustsOnlyWhenTold() {
    return !story.pi.includes("@mariozechner");
  }

  #hear(text) {
    this.#rest += text;
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop();
    for (const line of lines) {
      if (!line.trim()) continue;
      appendFileSync(left("events.jsonl"), `${line}\n`);
      const event = JSON.parse(line);
      this.#confirm(event);
      for (const watch of this.#watchers) watch(event);
    }
  }

  /** A person who is asked by an extension. */
  #confirm({ type, method, id }) {
    if (type !== "extension_ui_request" || method !== "confirm" || this.confirms === undefined) return;
    this.process.stdin.write(`${JSON.stringify({ type: "extension_ui_response", id, confirmed: this.confirms })}\n`);
  }

  /** The first event that `wanted` accepts. `.forget()` stops the waiting. */
  until(wanted) {
    let stop;
    const found = new Promise((resolve, reject) => {
      const watch = (event) => wanted(event) && (stop(), resolve(event));
      const late = setTimeout(() => (stop(), reject(new Error(`waited ${STEP_LIMIT_MS} ms in vain`))), STEP_LIMIT_MS);
      stop = () => {
        clearTimeout(late);
        this.#watchers.delete(watch);
      };
      this.#watchers.add(watch);
      this.ended.then((code) => (stop(), reject(new Error(`pi ended with exit code ${code}`))));
    });
    found.catch(() => {}); // the caller hears of it when it awaits
    found.forget = stop;
    return found;
  }

  /** The end of a run: newer pi says `agent_settled`, older pi only `agent_end`. */
  settled() {
    const last = this.#trustsOnlyWhenTold() ? "agent_settled" : "agent_end";
    return this.until((event) => event.type === last);
  }

  async ask(command) {
    const id = `ask-${++this.#asked}`;
    const answered = this.until((event) => event.type === "response" && event.id === id);
    this.process.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    const answer = await answered;
    if (answer.success === false) throw new Error(`pi refused \`${command.type}\`: ${answer.error}`);
    return answer;
  }

  async end() {
    this.process.stdin.end();
    const late = setTimeout(() => this.process.kill("SIGKILL"), 10_000);
    await this.ended;
    clearTimeout(late);
  }
}

try {
  furnishHome(model.port);
  for (const [index, steps] of story.sessions.entries()) await session(steps, index > 0);
} catch (error) {
  console.error(`pi-drive: ${error.message}`);
  process.exitCode = 1;
} finally {
  await model.close();
}
