/**
 * Mentci's door into OpenClaw: the workspace's Absolute Rules stand in the system context of each request, and
 * the rules of policy are asked about every tool call.
 *
 * Written by `policy-engine install openclaw`. No build step: OpenClaw loads it as it is.
 *
 * Each event is told to `policy-engine hook openclaw <event>`, one process an event. Where that cannot be asked,
 * a tool call is denied; `MENTCI_HOOK_ON_ERROR=allow` lets it run.
 */
import { spawn } from "node:child_process";

type Json = Record<string, unknown>;
type Answer = { decision?: "allow" | "ask" | "deny"; reason?: string; args?: Json; result?: unknown; context?: string };
type Context = { sessionId?: string; sessionKey?: string; workspaceDir?: string };
type Api = { on(event: string, listener: (event: Json, context?: Context) => unknown): void };

const PROGRAM = process.env.MENTCI_POLICY_ENGINE ?? "policy-engine";
const LIMIT_MS = 10_000;
/** What is told besides, and needs no answer. */
const EVENTS = ["session_start", "session_end", "agent_end", "before_compaction"];

export default {
  id: "mentci",
  name: "Mentci",
  description: "Absolute Rules in each request, and policy before each tool call",
  register(api: Api) {
    /** Where each session works: tool events do not say. */
    const folders = new Map<string, string>();
    const ask = (name: string, event: Json, ctx: Context = {}) => {
      const { sessionId, sessionKey, workspaceDir } = ctx;
      const session = sessionId ?? sessionKey ?? "";
      if (workspaceDir) folders.set(session, workspaceDir);
      const folder = workspaceDir ?? folders.get(session) ?? process.cwd();
      return hook(folder, name, { event: plain(event), ctx: { sessionId, sessionKey } });
    };

    api.on("before_prompt_build", async (event, ctx) => {
      const answer = await ask("before_prompt_build", { prompt: event.prompt }, ctx).catch(() => undefined);
      if (answer?.context) return { appendSystemContext: answer.context };
    });
    api.on("before_tool_call", async (event, ctx) => {
      const answer = await ask("before_tool_call", event, ctx).catch(refused);
      if (answer.decision !== "allow") return { block: true, blockReason: answer.reason ?? "Blocked by policy." };
      if (answer.args) return { params: answer.args };
    });
    // OpenClaw does not wait here, so what a tool answered is remembered and not changed.
    api.on("tool_result_persist", (event, ctx) => void ask("tool_result_persist", event, ctx).catch(() => undefined));
    for (const name of EVENTS) {
      api.on(name, async (_event, ctx) => {
        await ask(name, {}, ctx).catch(() => undefined);
      });
    }
  },
};

/** What a call is told that nobody could decide. */
function refused(error: unknown): Answer {
  if (process.env.MENTCI_HOOK_ON_ERROR === "allow") return { decision: "allow" };
  return { decision: "deny", reason: `Blocked by mentci: ${error instanceof Error ? error.message : String(error)}` };
}

/** What of an event is data. */
function plain(event: Json): Json {
  const { toolName, params, toolCallId, message, prompt } = event;
  return { toolName, params, toolCallId, message, prompt };
}

/** Asks the engine. Rejects where it cannot be run or says nothing that can be read. */
function hook(directory: string, event: string, payload: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, ["hook", "openclaw", event], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`no answer within ${LIMIT_MS} ms`));
    }, LIMIT_MS);
    let said = "";
    child.stdout.on("data", (part: Buffer) => (said += part));
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`\`${PROGRAM}\` cannot be run: ${error.message}`));
    });
    child.on("close", () => {
      clearTimeout(timer);
      try {
        resolve(said.trim() ? (JSON.parse(said) as Answer) : {});
      } catch {
        reject(new Error(`\`${PROGRAM}\` answered what cannot be read`));
      }
    });
    // A program that ends early has said what it had to say.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(payload));
  });
}
