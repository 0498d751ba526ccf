/**
 * Mentci's door into OpenClaw: the workspace's Absolute Rules stand in the system context of each request, and
 * the rules of policy are asked about every tool call, before and after it runs.
 *
 * Written by `policy-engine install openclaw`. No build step: OpenClaw loads it as it is.
 *
 * Each event is told to `policy-engine hook openclaw <event>`, one process an event. Where that cannot be asked,
 * a tool call is denied; `MENTCI_HOOK_ON_ERROR=allow` lets it run.
 */
import { spawn } from "node:child_process";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";

type Json = Record<string, unknown>;
type Answer = { decision?: "allow" | "ask" | "deny"; reason?: string; args?: Json; result?: unknown; context?: string };
type Context = { sessionId?: string; sessionKey?: string; workspaceDir?: string };
type Part = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

const PROGRAM = process.env.MENTCI_POLICY_ENGINE ?? "policy-engine";
const LIMIT_MS = 10_000;
/** What is told besides, and needs no answer. */
const EVENTS = ["session_start", "session_end", "agent_end", "before_compaction"] as const;

export default {
  id: "mentci",
  name: "Mentci",
  description: "Absolute Rules in each request, and policy before each tool call",
  register(api: OpenClawPluginApi) {
    /** Where each session works: tool events do not say. */
    const folders = new Map<string, string>();
    const ask = (name: string, event: Json, ctx: Context) => {
      const { sessionId, sessionKey, workspaceDir } = ctx;
      const session = sessionId ?? sessionKey ?? "";
      if (workspaceDir) folders.set(session, workspaceDir);
      const folder = workspaceDir ?? folders.get(session) ?? process.cwd();
      return hook(folder, name, { event, ctx: { sessionId, sessionKey } });
    };

    api.on("before_prompt_build", async (event, ctx) => {
      const answer = await ask("before_prompt_build", { prompt: event.prompt }, ctx).catch(() => undefined);
      return answer?.context ? { appendSystemContext: answer.context } : undefined;
    });
    api.on("before_tool_call", async ({ toolName, params, toolCallId }, ctx) => {
      const answer = await ask("before_tool_call", { toolName, params, toolCallId }, ctx).catch(refused);
      if (answer.decision !== "allow") return { block: true, blockReason: answer.reason ?? "Blocked by policy." };
      return answer.args ? { params: answer.args } : undefined;
    });
    // Older versions have no such place, and no result is told there.
    api.registerAgentToolResultMiddleware?.(
      async ({ toolName, toolCallId, args, isError, result }, ctx) => {
        const texts = result.content.filter((part) => part.type === "text");
        const told = { toolName, toolCallId, params: args, message: { content: texts, isError } };
        const answer = await ask("tool_result", told, ctx).catch(withheld);
        const content = contentOf(answer, result.content as Part[]);
        // What a machine reads of it may hold the same words: it goes where they were taken out.
        return content && { result: { content, details: answer.result === undefined ? result.details : {} } };
      },
      { runtimes: ["openclaw", "codex"] },
    );
    for (const name of EVENTS) {
      api.on(name, async (_event: unknown, ctx: Context) => {
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

/** What stands in the place of a result that nobody could look at. */
function withheld(error: unknown): Answer {
  if (process.env.MENTCI_HOOK_ON_ERROR === "allow") return {};
  const why = error instanceof Error ? error.message : String(error);
  return { result: `[withheld by mentci: ${why}; the result was not looked at, and may hold what must not be read]` };
}

/** A result as the model may read it, with what is told at its end; nothing where it stays as it is. */
function contentOf({ result, context }: Answer, shown: Part[]): Part[] | undefined {
  if (result === undefined && !context) return;
  const text = (words: unknown): Part => ({ type: "text", text: typeof words === "string" ? words : JSON.stringify(words) });
  const content = result === undefined ? shown : [text(result), ...shown.filter((part) => part.type !== "text")];
  return context ? [...content, text(context)] : content;
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
