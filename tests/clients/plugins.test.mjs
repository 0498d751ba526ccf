// The plugins of opencode and OpenClaw where the engine cannot be asked, with stand-ins for the harnesses and for the
// engine. Run with node >= 22.18, which reads TypeScript: node --test plugins.test.mjs
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

const root = mkdtempSync(join(tmpdir(), "mentci-plugins-"));
const engine = join(root, "policy-engine");
process.env.MENTCI_POLICY_ENGINE = engine;
after(() => rmSync(root, { recursive: true, force: true }));
const { Mentci } = await import("../../Components/harness/assets/opencode-mentci.ts");
const { default: claw } = await import("../../Components/harness/assets/openclaw-mentci.ts");

const SECRET = "the key is 42";
const is = (script) => writeFileSync(engine, `#!/bin/sh\ncat >/dev/null\n${script}\n`, { mode: 0o755 });

/** What becomes of a call and of a result, in each harness. */
const HARNESSES = {
  opencode: async () => {
    const hooks = await Mentci({ directory: root });
    const call = { tool: "read", sessionID: "s", callID: "c" };
    const denied = await hooks["tool.execute.before"](call, { args: {} }).then(() => undefined, (error) => error.message);
    const output = { output: SECRET };
    await hooks["tool.execute.after"](call, output);
    return { denied, shown: output.output };
  },
  OpenClaw: async () => {
    const on = {};
    let result;
    claw.register({ on: (name, run) => (on[name] = run), registerAgentToolResultMiddleware: (run) => (result = run) });
    const ctx = { sessionId: "s", workspaceDir: root };
    const answer = await on.before_tool_call({ toolName: "read", params: {}, toolCallId: "c" }, ctx);
    const content = [{ type: "text", text: SECRET }];
    const told = await result({ toolName: "read", toolCallId: "c", args: {}, result: { content } }, ctx);
    return { denied: answer?.blockReason, shown: (told?.result.content ?? content)[0].text };
  },
};

for (const [name, ask] of Object.entries(HARNESSES)) {
  describe(name, () => {
    for (const [what, script, why] of [
      ["is killed", "kill -9 $$", /ended with SIGKILL/],
      ["gives up", "exit 3", /ended with 3/],
      ["gives up in the midst of its answer", `printf '{"decision":"allow"}'; exit 1`, /ended with 1/],
      ["says nothing", "true", /answered nothing/],
      ["says what is no answer", "echo hello", /answered what cannot be read/],
    ]) {
      test(`denies the call and withholds the result where the engine ${what}`, async () => {
        is(script);
        const { denied, shown } = await ask();
        assert.match(denied, why);
        assert.match(shown, /^\[withheld by mentci: /);
        assert.match(shown, why);
      });
    }

    test("leaves both alone where it allows", async () => {
      is(`printf '{"decision":"allow"}'`);
      assert.deepEqual(await ask(), { denied: undefined, shown: SECRET });
    });
  });
}
