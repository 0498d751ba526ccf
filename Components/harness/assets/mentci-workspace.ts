/**
 * Mentci's door into the pi coding agent: the workspace's Absolute Rules stand in every request to the
 * model, exactly once; the rules of policy are asked about every tool call, before and after it runs, and
 * what they tell the agent reaches it; and the agent can teach a lesson with the tool
 * `update_skill_heuristics`.
 *
 * Written by `policy-engine init`. No build step: pi loads it as it is (0.73 and later).
 *
 * Where the rules go (`inject.mode` in `mentci.toml`):
 * - `system-prompt`: at the end of the system prompt. pi builds that anew for each run, so it is neither
 *   stored nor summarised, it stands after `/compact` and `--continue`, and its bytes stay the same while
 *   the rules do, which keeps the provider's cache.
 * - `full-every-turn`: a hidden `<system-reminder>` with each prompt; older copies leave the request.
 *
 * What it asks, found through `MENTCI_POLICY_ENGINE`, then `PATH`, then the workspace's `target/release`
 * and `target/debug`: one process an event. `policy-engine inject pi` brings the Absolute Rules and takes
 * the event along: each prompt asks it, and a request in the midst of a run when the digest on disk moved or
 * a lesson was taught. `policy-engine hook pi EVENT` takes every other event, as pi names it: `session_start`,
 * `message_end` for what the user and the model say, `context` before each request to the model, `tool_call`,
 * `tool_result`, `turn_end`, `session_before_compact`, `session_shutdown`.
 *
 * Where notifications go: those that are due before a request, as a hidden `<system-reminder>` in that one
 * request; those that are due with a tool's result, at the end of that result. What no request could hold any
 * more is kept in the session's file, and stands in the first request when the session goes on.
 *
 * When the engine is missing or fails, the last good rules are injected and that is said once. A tool call
 * then runs unchecked, which is said once too; or not at all, when `policy.on_engine_failure` is `"block"`.
 */
import { execFile, type ExecFileException } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

/** Marks our messages in the session. */
const CUSTOM_TYPE = "adaptive-authority";
/** Marks what rules tell the agent. */
const NOTICE_TYPE = "mentci-notification";
/** The workspace's digest, relative to its root. */
const DIGEST = join(".pi", "absolute_rules.md");
/** A prompt must not wait longer than this for the engine; the last good rules serve meanwhile. */
const INJECT_LIMIT_MS = 5_000;
const LESSON_LIMIT_MS = 10_000;
/** Longer than the engine gives itself, which then denies in the rules' name. */
const HOOK_LIMIT_MS = 10_000;
/** How long a person has for an answer. Later, `policy-engine approvals` still takes it. */
const APPROVAL_LIMIT_MS = 300_000;

export default function mentciWorkspace(pi: ExtensionAPI): void {
  let authority = new Authority();
  let policy = new Policy();

  pi.on("session_start", async (_event, ctx) => {
    authority = new Authority();
    policy = new Policy();
    const branch = ctx.sessionManager.getBranch();
    authority.skills.recall(branch);
    policy.recall(branch);
    await policy.raise(ctx, "session_start");
  });

  pi.on("before_agent_start", async (event, ctx) => {
    // A run that another extension starts has no prompt: no query begins.
    const prompt: unknown = "prompt" in event ? event.prompt : undefined;
    authority.skills.sawPrompt(prompt);
    const rules = await authority.atPrompt(ctx, typeof prompt === "string" ? query(prompt) : undefined, policy);
    if (!rules) return;
    if (rules.mode === "full-every-turn") return { message: reminder(rules.text) };
    if (event.systemPrompt.includes(rules.text)) return;
    return { systemPrompt: `${event.systemPrompt}\n\n${rules.text}` };
  });

  // Steering, retries and requests after an automatic compaction start without `before_agent_start`.
  pi.on("context", async (event, ctx) => {
    const rules = await authority.atRequest(ctx, policy.turn(ctx, event.messages), policy);
    const ruled = withRules(event.messages, rules, authority.missingFrom(ctx.getSystemPrompt()));
    const told = policy.tell();
    if (!told) return ruled && { messages: ruled as typeof event.messages };
    return { messages: [...(ruled ?? event.messages), told] as typeof event.messages };
  });

  pi.on("message_end", async (event, ctx) => {
    policy.answered(event.message);
    const said = saidBy(event.message);
    if (said) await policy.raise(ctx, "message_end", { message: said });
  });

  pi.on("turn_end", async (_event, ctx) => {
    await policy.raise(ctx, "turn_end");
    // The run may be over, and the session with it.
    const untold = policy.unkept();
    if (untold) pi.appendEntry(NOTICE_TYPE, { notifications: untold });
  });

  pi.on("session_shutdown", async (_event, ctx) => {
    await policy.raise(ctx, "session_shutdown");
  });

  // The rules changed in the midst of a run, whose system prompt still holds the old ones.
  pi.on("before_provider_request", (event) => {
    const swap = authority.takeSwap();
    return swap && replaceOnce(event.payload, swap.old, swap.current);
  });

  // The summary of a conversation is no place for rules: they are injected again.
  pi.on("session_before_compact", async (event, ctx) => {
    removeReminders(event.preparation.messagesToSummarize);
    removeReminders(event.preparation.turnPrefixMessages);
    await policy.raise(ctx, "session_before_compact", { preparation: { tokensBefore: event.preparation.tokensBefore } });
  });

  pi.on("tool_call", (event, ctx) => policy.beforeTool(event, ctx));

  pi.on("tool_result", async (event, ctx) => {
    if (event.toolName === "read" && !event.isError) authority.skills.sawRead(event.input.path);
    return (await policy.afterTool(event as ToolReturned, ctx)) as { content: typeof event.content } | undefined;
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

  /** A prompt: the engine is asked, so that it can compile what changed, and told the event with the same question. */
  async atPrompt(ctx: ExtensionContext, event?: Json, policy?: Policy): Promise<Rules | undefined> {
    const root = rootOf(ctx.cwd);
    const stamp = stampOf(join(root, DIGEST));
    this.#rules = (await this.#ask(root, ctx, event, policy)) ?? this.#lastGood(root, stamp, ctx);
    this.#stamp = stamp;
    this.#taught = false;
    if (this.#rules) this.#given.add(this.#rules.text);
    return this.#rules;
  }

  /** A request in the midst of a run: the engine is asked for the rules only when there is a reason. */
  async atRequest(ctx: ExtensionContext, turn: Json, policy: Policy): Promise<Rules | undefined> {
    const unmoved = stampOf(join(rootOf(ctx.cwd), DIGEST)) === this.#stamp;
    if (!unmoved || this.#taught || !this.#rules) return this.atPrompt(ctx, { event: "turn_start", ...turn }, policy);
    await policy.raise(ctx, "context", turn);
    return this.#rules;
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

  async #ask(root: string, ctx: ExtensionContext, event?: Json, policy?: Policy): Promise<Rules | undefined> {
    const active = this.skills.names();
    const args = ["inject", "pi", "--json", ...(active.length ? ["--active", active.join(",")] : [])];
    if (event) args.push("--event", "-");
    const told = event && { session: ctx.sessionManager.getSessionId(), ...event };
    const run = await runEngine(root, args, INJECT_LIMIT_MS, undefined, told);
    if (run.ok) policy?.heard(linesOf(run.answer.verdict));
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

/** What the engine says to an event. */
type Answer = { decision: "allow" | "ask" | "deny"; reason?: string; approval?: Approval; args?: unknown; result?: unknown; context?: string };
type Approval = { id: string; why: string };
type Notification = { message: string; category?: string; priority?: string; rule?: string };
type ToolCalled = { toolName: string; toolCallId: string; input: unknown };
type ToolReturned = ToolCalled & { content: Part[]; details?: unknown; isError: boolean; structuredContent?: unknown };
type Blocked = { block: true; reason: string };

/** The rules of policy: told what happens, asked before a tool runs, and what they tell the agent. */
class Policy {
  /** What the engine has handed out for the next request, in lines. It counts as told to the agent when the model has answered. */
  #untold: string[] = [];
  /** How many of them the session's file holds. */
  #kept = 0;
  #inRequest = 0;
  #iterations = 0;
  #started = new Map<string, number>();
  #blocked = new Set<string>();
  #said = false;

  /** A request to the model that is about to be sent. */
  turn(ctx: ExtensionContext, messages: readonly unknown[]): Json {
    const conversation = (messages as readonly Message[]).filter((message) => message.role !== "custom");
    this.#iterations = conversation.at(-1)?.role === "user" ? 1 : this.#iterations + 1;
    const answers = (ctx.sessionManager.getBranch() as readonly { message?: Message }[]).filter(
      (entry) => entry.message?.role === "assistant",
    );
    const { tokens, contextWindow } = ctx.getContextUsage() ?? {};
    const usage: Json = { history_length: conversation.length, iteration_count: this.#iterations };
    if (typeof contextWindow === "number" && contextWindow > 0) usage.context_window = contextWindow;
    if (typeof tokens === "number") usage.context_tokens = Math.round(tokens);
    if (usage.context_window && typeof tokens === "number") usage.token_usage = tokens / Number(contextWindow);
    return { turn: answers.length + 1, usage };
  }

  /** Tells the engine what happens. Nothing comes of it when it cannot be told. */
  async raise(ctx: ExtensionContext, name: string, event: Json = {}): Promise<void> {
    const run = await this.#hook(ctx, name, event);
    if (run.ok && isAnswer(run.answer)) this.heard(run.answer.context);
  }

  heard(lines: string | undefined): void {
    if (lines) this.#untold.push(lines);
  }

  /** What goes into the request that is about to be sent: what a request held that failed, too. */
  tell(): unknown {
    this.#inRequest = this.#untold.length;
    if (!this.#inRequest) return;
    return { role: "custom", customType: NOTICE_TYPE, content: noticeText(this.#untold), display: false, timestamp: 0 };
  }

  /** The model has answered: what the request held is told, and not told again. */
  answered(message: unknown): void {
    if (!isAnswered(message)) return;
    this.#untold.splice(0, this.#inRequest);
    this.#inRequest = 0;
    this.#kept = 0;
  }

  /** All that is not told yet, where the session's file does not hold it as it is. */
  unkept(): string[] | undefined {
    if (this.#untold.length === this.#kept) return;
    this.#kept = this.#untold.length;
    return [...this.#untold];
  }

  /** Goes through a session that is continued: what was kept last and not answered since is not told yet. */
  recall(branch: readonly unknown[]): void {
    for (const entry of branch as readonly Entry[]) {
      const kept = entry.type === "custom" && entry.customType === NOTICE_TYPE && entry.data?.notifications;
      if (Array.isArray(kept)) this.#untold = kept.filter((lines): lines is string => typeof lines === "string");
      else if (isAnswered(entry.message)) this.#untold = [];
    }
    this.#kept = this.#untold.length;
  }

  /** Whether the tool may run. Arguments that were changed are put in place. */
  async beforeTool({ toolName, toolCallId, input }: ToolCalled, ctx: ExtensionContext): Promise<Blocked | undefined> {
    const call = { toolName, toolCallId, input };
    let run = await this.#hook(ctx, "tool_call", call);
    if (run.ok && isAnswer(run.answer) && run.answer.decision === "ask") {
      const refused = await this.#approve(call, run.answer, ctx);
      if (refused) return this.#block(call, refused);
      // Granted: the same call again, which the grant lets pass once.
      run = await this.#hook(ctx, "tool_call", call);
    }
    if (!run.ok) return this.#unchecked(call, ctx, run.why);
    if (!isAnswer(run.answer)) return this.#unchecked(call, ctx, `\`policy-engine hook\` failed: ${saidOf(run.answer)}`);
    const { decision, reason, args, context } = run.answer;
    if (decision !== "allow") return this.#block(call, reason ?? "Blocked by policy.");
    this.heard(context);
    if (args !== null && typeof args === "object") putInPlace(input as Json, args as Json);
    this.#started.set(toolCallId, performance.now());
    return;
  }

  /** The result as the agent may read it, with what is told at its end; nothing where it stays as it is. */
  async afterTool(returned: ToolReturned, ctx: ExtensionContext): Promise<Json | undefined> {
    // A denied call has no result of its own.
    if (this.#blocked.delete(returned.toolCallId)) return;
    const started = this.#started.get(returned.toolCallId);
    this.#started.delete(returned.toolCallId);
    const run = await this.#hook(ctx, "tool_result", toldOf(returned, started));
    if (!run.ok || !isAnswer(run.answer)) return this.#unseen(returned, ctx);
    const { result, context } = run.answer;
    const changed = result !== undefined && result !== null;
    if (!changed && !context) return;
    const others = returned.content.filter((part) => part.type !== "text");
    const text = typeof result === "string" ? result : JSON.stringify(result);
    const content = changed ? [{ type: "text", text }, ...others] : [...returned.content];
    if (context) content.push({ type: "text", text: noticeText([context]) });
    // What a machine reads of it holds the same words: it goes where they were taken out.
    const structured = !changed && returned.structuredContent !== undefined;
    return structured ? { content, structuredContent: returned.structuredContent } : { content };
  }

  /** A result that nobody could look at is withheld where calls are blocked without the engine. */
  #unseen(returned: ToolReturned, ctx: ExtensionContext): Json | undefined {
    if (!blocksWithoutEngine(rootOf(ctx.cwd)) || !returned.content.length) return;
    const text = "[withheld by mentci: the rules of policy could not be asked; the result was not looked at, and may hold what must not be read]";
    return { content: [{ type: "text", text }] };
  }

  /** Asks a person. Nothing when they allow it; else why it may not run. */
  async #approve(call: ToolCalled, { approval, reason = "" }: Answer, ctx: ExtensionContext): Promise<string | undefined> {
    if (!approval || !ctx.hasUI) return reason;
    const asked = performance.now();
    const shown = `${call.toolName} ${JSON.stringify(call.input, undefined, 2)}\n\n${approval.why}`;
    const yes = await ctx.ui.confirm("Allow this tool call?", shown, { timeout: APPROVAL_LIMIT_MS });
    if (!yes && performance.now() - asked > APPROVAL_LIMIT_MS - 1_000) return reason;
    const run = await runEngine(rootOf(ctx.cwd), ["approvals", yes ? "grant" : "deny", approval.id, "--json"], HOOK_LIMIT_MS);
    if (!yes) return `${approval.why}\nThe user has refused this call.`;
    return run.ok ? undefined : `${reason}\nThe answer could not be kept: ${run.why}.`;
  }

  #block(call: ToolCalled, reason: string): Blocked {
    this.#blocked.add(call.toolCallId);
    return { block: true, reason };
  }

  /** The engine cannot be asked. */
  #unchecked(call: ToolCalled, ctx: ExtensionContext, why: string): Blocked | undefined {
    const blocks = blocksWithoutEngine(rootOf(ctx.cwd));
    const said = this.#said;
    this.#said = true;
    if (!said) tell(ctx, `mentci: ${why}; tool calls ${blocks ? "are blocked" : "run unchecked"} until it answers`, "warning");
    if (blocks) return this.#block(call, `The rules of policy cannot be asked: ${why}. Tell the user.`);
    this.#started.set(call.toolCallId, performance.now());
    return;
  }

  #hook(ctx: ExtensionContext, name: string, event: Json): Promise<Run> {
    const told = { session: ctx.sessionManager.getSessionId(), event };
    return runEngine(rootOf(ctx.cwd), ["hook", "pi", name], HOOK_LIMIT_MS, undefined, told);
  }
}

/** Whether the model has answered, and so read what the request held. */
function isAnswered(message: unknown): boolean {
  const { role, stopReason } = (message ?? {}) as Message;
  return role === "assistant" && stopReason !== "error" && stopReason !== "aborted";
}

/** What the user or the model said; results of tools and our own reminders are told elsewhere. */
function saidBy(message: unknown): Json | undefined {
  const { role, content } = message as Message;
  if (role !== "user" && role !== "assistant") return;
  const text = partsOf(content).flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n");
  return text.trim() ? { role, content: text } : undefined;
}

function query(prompt: string): Json {
  return { event: "query_start", message: { role: "user", text: prompt } };
}

function isAnswer(answer: unknown): answer is Answer {
  return answer !== null && typeof answer === "object" && typeof (answer as Json).decision === "string";
}

/** What a verdict tells the agent, a line each: `- [high warning] wrap up (rule own/budget)`. */
function linesOf(verdict: unknown): string {
  const { notifications = [] } = (verdict ?? {}) as { notifications?: Notification[] };
  const lines = notifications.map(({ message, category, priority, rule }) => {
    const head = [priority && priority !== "normal" ? priority : "", category ?? ""].filter(Boolean).join(" ");
    return `- ${head ? `[${head}] ` : ""}${message}${rule ? ` (rule ${rule})` : ""}`;
  });
  return lines.join("\n");
}

/** One reminder for all. Words of tools in it cannot end it. */
function noticeText(lines: readonly string[]): string {
  const text = lines.join("\n").replace(/<(\/?)system-reminder/gi, "&lt;$1system-reminder");
  return `<system-reminder>\n${text}\n</system-reminder>`;
}

/** What a tool returned, as it is told: pictures stay here. */
function toldOf(returned: ToolReturned, started: number | undefined): Json {
  const { toolName, toolCallId, input, isError } = returned;
  const content = partsOf(returned.content).filter(({ type, text }) => type === "text" && text);
  const durationMs = started === undefined ? undefined : Math.round((performance.now() - started) * 10) / 10;
  const count = countOf(returned, content.map(({ text }) => text).join("\n"));
  return { toolName, toolCallId, input, content, isError, durationMs, count };
}

/** How many things a result holds: as it says itself, as a list has, or as pi's own searches have lines. */
function countOf({ toolName, structuredContent, details, isError }: ToolReturned, text: string): number | undefined {
  if (isError) return;
  for (const value of [structuredContent, details, /^\s*[[{]/.test(text) ? parseJson(text) : undefined]) {
    if (Array.isArray(value)) return value.length;
    if (value === null || typeof value !== "object") continue;
    const { count, results, matches, items } = value as Json;
    if (Number.isSafeInteger(count)) return count as number;
    for (const list of [results, matches, items]) if (Array.isArray(list)) return list.length;
  }
  if (!["grep", "find", "ls"].includes(toolName)) return;
  if (/^(No (matches|files) found|\(empty directory\))/.test(text)) return 0;
  return text.split("\n").filter((line) => line.trim() && !/^\[.*\]$/.test(line)).length;
}

/** Gives an object the fields of another, in place: pi hands the tool the object that it showed. */
function putInPlace(object: Json, fields: Json): void {
  for (const key of Object.keys(object)) if (!(key in fields)) delete object[key];
  Object.assign(object, fields);
}

/** Whether a configuration says that no tool runs while the engine cannot be asked. */
function blocksWithoutEngine(root: string): boolean {
  if (process.env.MENTCI_POLICY_ON_ENGINE_FAILURE === "block") return true;
  const home = process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? "", ".config");
  return [join(root, "mentci.toml"), join(home, "mentci", "config.toml")].some((path) => saysBlock(readText(path) ?? ""));
}

/** Reads one key of TOML, `policy.on_engine_failure`: the engine that reads the others is not there. */
function saysBlock(text: string): boolean {
  let table = "";
  for (const line of text.split("\n")) {
    const head = /^\s*\[\s*([\w.-]+)\s*\]/.exec(line);
    if (head) table = `${head[1]}.`;
    const [, key, value] = /^\s*([\w.]+)\s*=\s*["']([\w-]+)["']/.exec(line) ?? [];
    if (`${table}${key}` === "policy.on_engine_failure") return value === "block";
  }
  return false;
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
type Message = { role?: string; customType?: string; content?: unknown; toolCallId?: string; isError?: boolean; stopReason?: string };
type Entry = { type?: string; customType?: string; data?: { notifications?: unknown }; message?: Message };
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

async function runEngine(root: string, args: string[], limitMs: number, signal?: AbortSignal, event?: Json): Promise<Run> {
  const engine = findEngine(root);
  if (engine.path === undefined) return { ok: false, why: engine.why };
  const options = { cwd: root, timeout: limitMs, maxBuffer: 64 << 20, signal };
  return new Promise((resolveRun) => {
    const finish = (error: ExecFileException | null, stdout: string, stderr: string) => {
      const answer = parseObject(stdout);
      if (answer) return resolveRun({ ok: true, answer });
      const why = firstLine(stderr) || (typeof error?.code === "string" ? error.code : "gave no answer");
      const reason = error?.killed ? `took longer than ${limitMs} ms` : why;
      resolveRun({ ok: false, why: `\`policy-engine ${args[0]}\` failed: ${reason}` });
    };
    try {
      const { stdin } = execFile(engine.path, [...args, "--root", root], options, finish);
      // An engine that ends without reading closes the pipe; what it says tells why.
      stdin?.on("error", () => {});
      stdin?.end(event && wholeJson(event));
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
  return readText(path)?.replace(/^\uFEFF?<!-- mentci [^\n]*-->\r?\n/, "").trim();
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
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

/** What an answer says that is none. */
function saidOf(answer: Json): string {
  return findingsOf(answer).map(sentence).join(" ") || "gave an answer that is none";
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON whose strings are whole Unicode: half a character could not be read, and what is not read is not checked. */
function wholeJson(value: unknown): string {
  const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  return JSON.stringify(value, (_key, inner) => (typeof inner === "string" ? inner.replace(half, "\ufffd") : inner));
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/** pi's own notice where there is a screen or a client to show it, else standard error. */
function tell(ctx: ExtensionContext, message: string, kind: "info" | "warning"): void {
  if (ctx.hasUI) ctx.ui.notify(message, kind);
  else console.error(message);
}
