/**
 * Mentci's door into opencode: the workspace's Absolute Rules stand in the system prompt of each request, and
 * the rules of policy are asked about every tool call, before and after it runs.
 *
 * Written by `policy-engine install opencode`. No build step: opencode loads it as it is.
 *
 * Each event is told to `policy-engine hook opencode <event>`, one process an event. Where that cannot be asked,
 * a tool call is denied; `MENTCI_HOOK_ON_ERROR=allow` lets it run.
 */
import { spawn } from "node:child_process";
import type { Plugin } from "@opencode-ai/plugin";

type Json = Record<string, unknown>;
type Answer = { decision?: "allow" | "ask" | "deny"; reason?: string; args?: Json; result?: unknown; context?: string };

const PROGRAM = process.env.MENTCI_POLICY_ENGINE ?? "policy-engine";
const LIMIT_MS = 10_000;
/** What of opencode's own events is told. */
const EVENTS = new Set(["session.created", "session.idle", "session.deleted"]);
/** opencode's own agents, whose requests nobody works by. */
const ASIDE = new Set(["title", "summary", "compaction"]);
/** Which of the plugins that stand here answers, by folder: the workspace's and the user's may both be loaded. */
const ACTIVE = Symbol.for("mentci.opencode.active");

export const Mentci: Plugin = async ({ directory }) => {
  /** What is to be told with the next request of the agent, by session. */
  const untold = new Map<string, string>();
  const later = (session: string | undefined, text: string | undefined) => {
    if (!session || !text) return;
    const before = untold.get(session);
    untold.set(session, before ? `${before}\n\n${text}` : text);
  };
  const active = ((globalThis as Record<symbol, unknown>)[ACTIVE] ??= new Map()) as Map<string, object>;
  active.set(directory, untold);
  /** Whether another one that was loaded later answers here. */
  const isStandby = () => active.get(directory) !== untold;
  /** The servers of the configuration: opencode names their tools `server_tool`. */
  let servers: string[] = [];
  const ask = (event: string, input: unknown, output?: unknown) => hook(directory, event, { input, output, servers });

  return {
    config: async (config) => {
      servers = Object.keys(config.mcp ?? {});
    },
    "chat.message": async (input, output) => {
      if (isStandby()) return;
      const answer = await ask("chat.message", input, output).catch(() => undefined);
      later(input.sessionID, answer?.context);
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (isStandby()) return;
      const answer = await ask("experimental.chat.system.transform", input).catch(() => undefined);
      if (answer?.context) output.system.push(answer.context);
      const told = input.sessionID && untold.get(input.sessionID);
      if (told) output.system.push(told);
    },
    // Comes behind the one above, and says whose request it is: only then has the agent been told.
    "chat.params": async (input) => {
      if (!ASIDE.has(input.agent)) untold.delete(input.sessionID);
    },
    "tool.execute.before": async (input, output) => {
      if (isStandby()) return;
      const answer = await ask("tool.execute.before", input, output).catch(refused);
      if (answer.decision !== "allow") throw new Error(answer.reason ?? "Blocked by policy.");
      if (answer.args) putInPlace(output.args, answer.args);
      later(input.sessionID, answer.context);
    },
    "tool.execute.after": async (input, output) => {
      if (isStandby()) return;
      const answer = await ask("tool.execute.after", input, output).catch(withheld);
      if (answer.result !== undefined) putResult(output, answer.result);
      if (answer.context) addText(output, answer.context);
    },
    "experimental.session.compacting": async (input) => {
      if (isStandby()) return;
      await ask("experimental.session.compacting", input).catch(() => undefined);
    },
    event: async ({ event }) => {
      if (EVENTS.has(event.type) && !isStandby()) await ask(event.type, event.properties ?? {}).catch(() => undefined);
    },
  };
};

/** What a call is told that nobody could decide. */
function refused(error: unknown): Answer {
  if (process.env.MENTCI_HOOK_ON_ERROR === "allow") return { decision: "allow" };
  return { decision: "deny", reason: `Blocked by mentci: ${error instanceof Error ? error.message : String(error)}` };
}

/** What stands in the place of a result that nobody could look at. */
function withheld(error: unknown): Answer {
  if (process.env.MENTCI_HOOK_ON_ERROR === "allow") return {};
  const why = error instanceof Error ? error.message : String(error);
  return { result: `[withheld by mentci: ${why}; the result was not looked at, and may hold what must not be read]` };
}

/** Asks the engine. Rejects where it cannot be run or says nothing that can be read. */
function hook(directory: string, event: string, payload: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, ["hook", "opencode", event], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`no answer within ${LIMIT_MS} ms`));
    }, LIMIT_MS);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (said += part));
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`\`${PROGRAM}\` cannot be run: ${error.message}`));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      // One that was killed or gave up has said nothing, or half of it.
      if (code !== 0) return reject(new Error(`\`${PROGRAM}\` ended with ${signal ?? code}`));
      if (!said.trim()) return reject(new Error(`\`${PROGRAM}\` answered nothing`));
      try {
        resolve(JSON.parse(said) as Answer);
      } catch {
        reject(new Error(`\`${PROGRAM}\` answered what cannot be read`));
      }
    });
    // A program that ends early has said what it had to say.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(payload));
  });
}

/** Gives an object the fields of another, in place: opencode hands the tool the object that it showed. */
function putInPlace(object: Json, fields: Json): void {
  for (const key of Object.keys(object)) if (!(key in fields)) delete object[key];
  Object.assign(object, fields);
}

/** Puts a result in the place of a tool's: the text of opencode's own, or the content that a server's tool gave. */
function putResult(output: object, result: unknown): void {
  const told = output as Json;
  if (!("content" in told)) told.output = textOf(result);
  else if (Array.isArray(result)) told.content = result;
  else if (typeof result === "object" && result !== null && "content" in result) Object.assign(told, result);
  else {
    told.content = [{ type: "text", text: textOf(result) }];
    delete told.structuredContent;
    if ("output" in told) told.output = textOf(result);
  }
}

/** Adds a text behind what a tool answered. */
function addText(output: object, text: string): void {
  const told = output as Json;
  if (Array.isArray(told.content)) told.content.push({ type: "text", text });
  else told.output = `${told.output}\n\n${text}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
