/**
 * Mentci's door into the pi coding agent: the workspace's Absolute Rules stand in every request to the
 * model, exactly once, and the agent can teach a lesson with the tool `update_skill_heuristics`.
 *
 * Written by `policy-engine init`. No build step: pi loads it as it is (0.73 and later).
 *
 * Where the rules go (`inject.mode` in `mentci.toml`):
 * - `system-prompt`: at the end of the system prompt. pi builds that anew for each run, so it is neither
 *   stored nor summarised, it stands after `/compact` and `--continue`, and its bytes stay the same while
 *   the rules do, which keeps the provider's cache.
 * - `full-every-turn`: a hidden `<system-reminder>` with each prompt; older copies leave the request.
 *
 * What it asks: `policy-engine inject pi --json`, found through `MENTCI_POLICY_ENGINE`, then `PATH`, then
 * the workspace's `target/release` and `target/debug`. Each prompt asks; a request in the midst of a run
 * asks only when the digest on disk moved or a lesson was taught. When the engine is missing or fails, the
 * last good rules are injected and that is said once.
 */
import { execFile, type ExecFileException } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

/** Marks our messages in the session. */
const CUSTOM_TYPE = "adaptive-authority";
/** The workspace's digest, relative to its root. */
const DIGEST = join(".pi", "absolute_rules.md");
/** A prompt must not wait longer than this for the engine; the last good rules serve meanwhile. */
const INJECT_LIMIT_MS = 5_000;
const LESSON_LIMIT_MS = 10_000;

export default function mentciWorkspace(pi: ExtensionAPI): void {
  let authority = new Authority();

  pi.on("session_start", (_event, ctx) => {
    authority = new Authority();
    authority.skills.recall(ctx.sessionManager.getBranch());
  });

  pi.on("before_agent_start", async (event, ctx) => {
    authority.skills.sawPrompt("prompt" in event && event.prompt);
    const rules = await authority.atPrompt(ctx);
    if (!rules) return;
    if (rules.mode === "full-every-turn") return { message: reminder(rules.text) };
    if (event.systemPrompt.includes(rules.text)) return;
    return { systemPrompt: `${event.systemPrompt}\n\n${rules.text}` };
  });

  // Steering, retries and requests after an automatic compaction start without `before_agent_start`.
  pi.on("context", async (event, ctx) => {
    const rules = await authority.atRequest(ctx);
    const messages = withRules(event.messages, rules, authority.missingFrom(ctx.getSystemPrompt()));
    return messages && { messages: messages as typeof event.messages };
  });

  // The rules changed in the midst of a run, whose system prompt still holds the old ones.
  pi.on("before_provider_request", (event) => {
    const swap = authority.takeSwap();
    return swap && replaceOnce(event.payload, swap.old, swap.current);
  });

  // The summary of a conversation is no place for rules: they are injected again.
  pi.on("session_before_compact", (event) => {
    removeReminders(event.preparation.messagesToSummarize);
    removeReminders(event.preparation.turnPrefixMessages);
  });

  pi.on("tool_result", (event) => {
    if (event.toolName === "read" && !event.isError) authority.skills.sawRead(event.input.path);
  });

  pi.registerTool({
    name: "update_skill_heuristics",
    label: "Teach a lesson",
    description:
      "Records a lesson for a skill, so that every later session knows it: when a rule fails under some " +
      "condition, or a hard problem has a workaround, say when (condition) and what to do instead (resolution).",
    promptSnippet: "Record a lesson for a skill: a condition and what to do then",
    parameters: LESSON,
    prepareArguments: (given: unknown) => snakeCased(given) as never,
    async execute(_id, lesson, signal, _onUpdate, ctx) {
      const answer = await authority.teach(lesson as Lesson, ctx, signal);
      return { content: [{ type: "text" as const, text: lessonSentence(answer) }], details: answer };
    },
  });

  pi.registerCommand("absolute-rules", {
    description: "Show the Absolute Rules that stand in every request",
    handler: async (_args, ctx) => {
      const rules = await authority.atPrompt(ctx);
      tell(ctx, rules?.text ?? "no Absolute Rules yet: run `policy-engine compile-rules`", "info");
    },
  });
}

type Mode = "system-prompt" | "full-every-turn";
type Rules = { mode: Mode; text: string };
type Lesson = { skill_name: string; condition: string; resolution: string; context?: string };
type Finding = { code?: string; severity?: string; message?: string; help?: string };
type Json = Record<string, unknown>;

/** What the learner takes: plain JSON Schema, which both generations of pi check arguments against. */
const LESSON = {
  type: "object",
  properties: {
    skill_name: { type: "string", description: "The skill's name, as in .pi/skills/<name>/SKILL.md" },
    condition: { type: "string", description: "When it happens: at most 2000 characters" },
    resolution: { type: "string", description: "What to do then: at most 2000 characters" },
    context: { type: "string", description: "How it was found out, for whoever reviews it: at most 8000 characters" },
  },
  required: ["skill_name", "condition", "resolution"],
} as const;

/** The rules that this session stands under, and where they came from. */
class Authority {
  readonly skills = new ActiveSkills();
  #rules: Rules | undefined;
  /** Every text that a system prompt of this session may hold. */
  #given = new Set<string>();
  /** The digest on disk, as it was when the rules were last asked for. */
  #stamp: string | undefined;
  #taught = false;
  #swap: { old: string; current: string } | undefined;
  #said = new Set<string>();

  /** A prompt: the engine is asked, so that it can compile what changed. */
  async atPrompt(ctx: ExtensionContext): Promise<Rules | undefined> {
    const root = rootOf(ctx.cwd);
    const stamp = stampOf(join(root, DIGEST));
    this.#rules = (await this.#ask(root, ctx)) ?? this.#lastGood(root, stamp, ctx);
    this.#stamp = stamp;
    this.#taught = false;
    if (this.#rules) this.#given.add(this.#rules.text);
    return this.#rules;
  }

  /** A request in the midst of a run: the engine is asked only when there is a reason. */
  async atRequest(ctx: ExtensionContext): Promise<Rules | undefined> {
    const unmoved = stampOf(join(rootOf(ctx.cwd), DIGEST)) === this.#stamp;
    return unmoved && !this.#taught && this.#rules ? this.#rules : this.atPrompt(ctx);
  }

  /** Whether the prompt holds neither the rules nor an older text of them; for an older one it plans the swap. */
  missingFrom(systemPrompt: string): boolean {
    this.#swap = undefined;
    if (this.#rules?.mode !== "system-prompt") return false;
    const current = this.#rules.text;
    // The longest: an older text may hold the whole of a newer one.
    const held = [...this.#given].filter((text) => systemPrompt.includes(text));
    const old = held.sort((a, b) => b.length - a.length)[0];
    if (old !== undefined && old !== current) this.#swap = { old, current };
    return old === undefined;
  }

  takeSwap() {
    return this.#swap;
  }

  /** Adds the lesson to the skill's `runtime.edn`. Throws a sentence for the agent when it was not kept. */
  async teach(lesson: Lesson, ctx: ExtensionContext, signal: AbortSignal | undefined): Promise<Json> {
    const root = rootOf(ctx.cwd);
    const { skill_name, condition, resolution, context } = lesson;
    // `--name=value`: a value that begins with a dash stays a value.
    const said = [`--skill=${skill_name}`, `--condition=${condition}`, `--resolution=${resolution}`];
    if (context) said.push(`--context=${context}`);
    // The same lesson from another session is a second witness, so the session is told.
    said.push(`--session=${ctx.sessionManager.getSessionId()}`, "--source=pi");
    const run = await runEngine(root, ["lessons", "add", ...said, "--json"], LESSON_LIMIT_MS, signal);
    if (!run.ok || typeof run.answer.id !== "string") throw new Error(refusal(run));
    this.#taught = true;
    return run.answer;
  }

  async #ask(root: string, ctx: ExtensionContext): Promise<Rules | undefined> {
    const active = this.skills.names();
    const args = ["inject", "pi", "--json", ...(active.length ? ["--active", active.join(",")] : [])];
    const run = await runEngine(root, args, INJECT_LIMIT_MS);
    if (!run.ok) return this.#sayOnce(ctx, `${run.why}; the last good Absolute Rules stay in force`);
    const { text, mode } = run.answer;
    for (const finding of findingsOf(run.answer)) if (finding.severity === "error") this.#sayOnce(ctx, sentence(finding));
    if (typeof text !== "string") return this.#sayOnce(ctx, `${refusal(run)}; the last good Absolute Rules stay in force`);
    const rules: Rules = { mode: mode === "full-every-turn" ? mode : "system-prompt", text: text.trim() };
    return rules.text ? rules : undefined;
  }

  /** What was asked last, unless the digest on disk is newer; without either, none. */
  #lastGood(root: string, stamp: string | undefined, ctx: ExtensionContext): Rules | undefined {
    if (this.#rules && stamp === this.#stamp) return this.#rules;
    const text = readDigest(join(root, DIGEST));
    if (text) return { mode: this.#rules?.mode ?? "system-prompt", text };
    if (!this.#rules) this.#sayOnce(ctx, `no Absolute Rules are in force: \`${DIGEST}\` cannot be read`);
    return this.#rules;
  }

  #sayOnce(ctx: ExtensionContext, message: string): undefined {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    tell(ctx, `mentci: ${message}`, "warning");
  }
}

/** The skills that this session has opened, in that order; once open, a skill stays open. */
class ActiveSkills {
  #names = new Set<string>();

  names(): string[] {
    return [...this.#names];
  }

  sawRead(path: unknown): void {
    const name = typeof path === "string" && /(?:^|[\\/])skills[\\/]([\w.-]+)[\\/]SKILL\.md$/.exec(path)?.[1];
    if (name) this.#names.add(name);
  }

  /** pi expands `/skill:name` to `<skill name="name" …>`. */
  sawPrompt(prompt: unknown): void {
    if (typeof prompt !== "string") return;
    for (const [, name] of prompt.matchAll(/<skill name="([\w.-]+)"/g)) if (name) this.#names.add(name);
  }

  /** Goes through a session that is continued: what was opened then is open now. */
  recall(branch: readonly unknown[]): void {
    const paths = new Map<string, unknown>();
    for (const entry of branch as readonly { message?: Message }[]) {
      const { role, content, toolCallId, isError } = entry.message ?? {};
      for (const part of partsOf(content)) {
        if (role === "user") this.sawPrompt(part.text);
        if (part.type === "toolCall" && part.name === "read" && part.id) paths.set(part.id, part.arguments?.path);
      }
      if (role === "toolResult" && toolCallId && !isError) this.sawRead(paths.get(toolCallId));
    }
  }
}

/** As much of pi's messages as is looked at here. */
type Message = { role?: string; customType?: string; content?: unknown; toolCallId?: string; isError?: boolean };
type Part = { type?: string; text?: string; id?: string; name?: string; arguments?: Json };

function partsOf(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function isReminder(message: unknown): boolean {
  const { role, customType } = message as Message;
  return role === "custom" && customType === CUSTOM_TYPE;
}

function reminder(text: string) {
  const content = text.startsWith("<system-reminder>") ? text : `<system-reminder>\n${text}\n</system-reminder>`;
  return { customType: CUSTOM_TYPE, content, display: false };
}

/** The request's messages with the rules in them exactly once, or nothing when they are right as they stand. */
function withRules(messages: readonly unknown[], rules: Rules | undefined, missing: boolean): unknown[] | undefined {
  const copies = messages.filter(isReminder);
  const rest = messages.filter((message) => !isReminder(message));
  const fresh = rules && { role: "custom", timestamp: 0, ...reminder(rules.text) };
  if (rules?.mode === "full-every-turn") {
    const last = copies.at(-1);
    if (last === undefined) return [...rest, fresh];
    const kept = { ...(last as Message), content: fresh?.content };
    if (copies.length === 1 && (last as Message).content === kept.content) return;
    return messages.filter((message) => !isReminder(message) || message === last).map((m) => (m === last ? kept : m));
  }
  // First of all messages, where it stays put while the conversation grows behind it.
  if (missing) return [fresh, ...rest];
  return copies.length ? rest : undefined;
}

function removeReminders(messages: unknown): void {
  if (!Array.isArray(messages)) return;
  for (let at = messages.length - 1; at >= 0; at--) if (isReminder(messages[at])) messages.splice(at, 1);
}

/** A copy of the payload in which the first string that holds `old` holds `current` instead, whatever the provider's format. */
function replaceOnce(payload: unknown, old: string, current: string): unknown {
  let done = false;
  const visit = (value: unknown): unknown => {
    if (done) return value;
    if (typeof value === "string") {
      done = value.includes(old);
      return done ? value.replace(old, () => current) : value;
    }
    if (Array.isArray(value)) return value.map(visit);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(payload);
}

/** The engine's answer, which may be findings alone; `why` when there was none. */
type Run = { ok: true; answer: Json } | { ok: false; why: string };

async function runEngine(root: string, args: string[], limitMs: number, signal?: AbortSignal): Promise<Run> {
  const engine = findEngine(root);
  if (engine.path === undefined) return { ok: false, why: engine.why };
  const options = { cwd: root, timeout: limitMs, maxBuffer: 16 << 20, signal };
  return new Promise((resolveRun) => {
    const finish = (error: ExecFileException | null, stdout: string, stderr: string) => {
      const answer = parseObject(stdout);
      if (answer) return resolveRun({ ok: true, answer });
      const why = firstLine(stderr) || (typeof error?.code === "string" ? error.code : "gave no answer");
      const reason = error?.killed ? `took longer than ${limitMs} ms` : why;
      resolveRun({ ok: false, why: `\`policy-engine ${args[0]}\` failed: ${reason}` });
    };
    try {
      execFile(engine.path, [...args, "--root", root], options, finish).stdin?.end();
    } catch (error) {
      resolveRun({ ok: false, why: `\`policy-engine ${args[0]}\` cannot be run: ${(error as Error).message}` });
    }
  });
}

type Found = { path: string; why?: never } | { path?: never; why: string };

function findEngine(root: string): Found {
  const named = process.env.MENTCI_POLICY_ENGINE;
  if (named) {
    const path = resolve(root, named);
    return runnable(path) ? { path } : { why: `\`MENTCI_POLICY_ENGINE\` names \`${named}\`, which cannot be run` };
  }
  const onPath = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const built = ["release", "debug"].map((profile) => join(root, "target", profile));
  const names = process.platform === "win32" ? ["policy-engine.exe"] : ["policy-engine"];
  const places = [...onPath, ...built].flatMap((folder) => names.map((name) => join(folder, name)));
  const path = places.find(runnable);
  return path ? { path } : { why: "`policy-engine` was not found on `PATH`" };
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The nearest parent that is a workspace: it has `mentci.toml`, `.pi` or `.git`. */
function rootOf(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (["mentci.toml", ".pi", ".git"].some((mark) => existsSync(join(folder, mark)))) return folder;
    if (folder === dirname(folder)) return resolve(cwd);
  }
}

/** Tells one state of a file from another without reading it. */
function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat && `${stat.mtimeNs}:${stat.size}:${stat.ino}`;
}

/** The digest without the line that seals it. */
function readDigest(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF?<!-- mentci [^\n]*-->\r?\n/, "").trim();
  } catch {
    return undefined;
  }
}

/** Agents also write the camelCase names of the first system. */
function snakeCased(given: unknown): unknown {
  if (given === null || typeof given !== "object" || !("skillName" in given)) return given;
  const { skillName, ...rest } = given as Json;
  return { skill_name: skillName, ...rest };
}

function lessonSentence(answer: Json): string {
  if (typeof answer.message === "string" && answer.message) return answer.message;
  return `The lesson is kept as ${answer.id} (${answer.status}).`;
}

/** Why a lesson was not kept, and what the agent can do about it. */
function refusal(run: Run): string {
  if (!run.ok) return `The lesson was not kept: ${run.why}. Tell the user; do not edit runtime.edn by hand.`;
  const said = findingsOf(run.answer).map(sentence).join(" ");
  return said || "The policy engine gave an answer that this extension does not know. Tell the user to run `policy-engine doctor`.";
}

function findingsOf(answer: Json): Finding[] {
  return Array.isArray(answer.findings) ? (answer.findings as Finding[]) : [];
}

function sentence({ code, message, help }: Finding): string {
  return `${code ? `${code}: ` : ""}${message ?? "unknown finding"}.${help ? ` Help: ${help}.` : ""}`;
}

/** The object that standard output holds, if it holds one. */
function parseObject(stdout: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/** pi's own notice where there is a screen or a client to show it, else standard error. */
function tell(ctx: ExtensionContext, message: string, kind: "info" | "warning"): void {
  if (ctx.hasUI) ctx.ui.notify(message, kind);
  else console.error(message);
}
