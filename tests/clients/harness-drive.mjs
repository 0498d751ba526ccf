#!/usr/bin/env node
// Drives one agent program through a story, offline: each prompt is a process of its own, and the second and later ones
// continue the session (Cline begins another). The hooks were installed beforehand.
//
//   node harness-drive.mjs STORY.json
//
// STORY   { client, program, node, workspace, home, out, prompts: [text], turns: [{ say } | { tool, args }], each
//         with `tells`, `awaits` and `usedTokens` of model-server.mjs,
//         compactAt: the tokens beyond which the client summarises, typed: the prompts are typed into one process, in a
//         terminal (terminal.py) }
// Writes OUT/requests.jsonl (what the model was shown) and the programs' own words to standard error.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serve } from "./model-server.mjs";

const LIMIT_MS = 120_000;
const story = JSON.parse(readFileSync(process.argv[2], "utf8"));
const turns = story.turns.map(({ tool, args, calls, ...more }) => {
  const call = calls?.map(({ tool, args }) => ({ tool, with: args })) ?? (tool && [{ tool, with: args }]);
  return { ...more, call };
});
const server = await serve({ script: { turns }, log: join(story.out, "requests.jsonl") });
const model = `http://127.0.0.1:${server.port}`;

const CLIENTS = {
  claude: {
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_MODEL: "claude-sonnet-4-5",
      CLAUDE_CONFIG_DIR: join(story.home, ".claude"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    },
    // Whoever may do anything still has to pass the hooks.
    command: (prompt, goesOn) => [story.program, "-p", ...(goesOn ? ["--continue"] : []), "--permission-mode", "acceptEdits", prompt],
  },
  codex: {
    env: { CODEX_HOME: join(story.home, ".codex"), MODEL_KEY: "none" },
    prepare() {
      put(
        ".codex/config.toml",
        `model = "gpt-scripted"\nmodel_provider = "scripted"\napproval_policy = "never"\ncheck_for_update_on_startup = false\n` +
          `${story.compactAt ? `model_auto_compact_token_limit = ${story.compactAt}\n` : ""}` +
          `[analytics]\nenabled = false\n[model_providers.scripted]\nname = "Scripted"\nbase_url = "${model}/v1"\nwire_api = "responses"\n` +
          `env_key = "MODEL_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\nsupports_websockets = false\n` +
          `[projects."${story.workspace}"]\ntrust_level = "trusted"\n`,
      );
    },
    command: (prompt, goesOn) => {
      // A person reviews hooks once; here nobody can.
      const flags = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"];
      const anything = ["-c", 'sandbox_mode="danger-full-access"'];
      return [story.program, "exec", ...(goesOn ? ["resume", "--last"] : []), ...flags, ...anything, prompt];
    },
  },
  gemini: {
    env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true", CI: "1" },
    prepare() {
      const quiet = { enableAutoUpdate: false, enableAutoUpdateNotification: false };
      const auth = { security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } };
      put(".gemini/settings.json", JSON.stringify({ ...auth, telemetry: { enabled: false }, general: quiet }));
    },
    command: (prompt, goesOn) => {
      const flags = ["--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"];
      return [story.node, story.program, ...flags, ...(goesOn ? ["-r", "latest"] : []), "-p", prompt];
    },
    typed: () => [story.node, story.program, "--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"],
    leave: "/quit",
  },
  opencode: {
    env: {
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_fetch_retries: "0",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_SHARE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
    prepare() {
      // Its own types are fetched at the first start; a registry that is not there fails at once.
      const dead = "registry=http://127.0.0.1:9/\nfetch-retries=0\n";
      for (const path of [".npmrc", ".config/opencode/.npmrc"]) put(path, dead);
      writeFileSync(join(story.workspace, ".opencode/.npmrc"), dead);
      const options = { baseURL: `${model}/v1`, apiKey: "none" };
      const models = { scripted: { name: "Scripted", tool_call: true, limit: { context: story.compactAt ?? 128000, output: 4096 } } };
      const provider = { local: { npm: "@ai-sdk/openai-compatible", name: "Local", options, models } };
      const named = { model: "local/scripted", small_model: "local/scripted", enabled_providers: ["local"] };
      const config = { autoupdate: false, share: "disabled", ...named, provider, permission: { bash: "allow", edit: "allow" } };
      writeFileSync(join(story.workspace, "opencode.json"), JSON.stringify(config));
      spawnSync("git", ["init", "-q", story.workspace]);
    },
    command: (prompt, goesOn) => [story.program, "run", ...(goesOn ? ["--continue"] : []), prompt],
  },
};

CLIENTS.openclaw = {
  env: { OPENCLAW_DISABLE_TELEMETRY: "1", OPENCLAW_SKIP_UPDATE_CHECK: "1" },
  prepare() {
    const sizes = { contextWindow: story.compactAt ?? 128000, maxTokens: 4096, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
    const models = [{ id: "scripted", name: "Scripted", reasoning: false, input: ["text"], ...sizes }];
    const local = { baseUrl: `${model}/v1`, apiKey: "none", api: "openai-completions", models };
    const defaults = { model: { primary: "local/scripted" }, workspace: story.workspace, skipBootstrap: true, sandbox: { mode: "off" } };
    // What a person does by hand after `install`.
    const entry = { enabled: true, hooks: { allowConversationAccess: true } };
    const load = { paths: [join(story.workspace, ".openclaw/extensions/mentci")] };
    const config = {
      agents: { defaults },
      models: { mode: "replace", providers: { local } },
      tools: { exec: { security: "full", ask: "off", host: "gateway" } },
      gateway: { mode: "local" },
      plugins: { load, allow: ["mentci"], entries: { mentci: entry } },
    };
    put(".openclaw/openclaw.json", JSON.stringify(config));
  },
  command: (prompt) => [story.node, story.program, "agent", "--local", "--agent", "main", "--json", "--message", prompt],
};

CLIENTS.cline = {
  env: {},
  prepare: () => run([story.program, "auth", "-p", "openai", "-k", "none", "-m", "scripted", "-b", `${model}/v1`]),
  // A prompt of one word is taken for a command; each run is a session of its own.
  command: (prompt) => [story.program, "--json", prompt],
  // A denial ends the whole run, and with it the process.
  mayFail: true,
  // The first run leaves a process behind that serves the others.
  tidy: () => run([story.program, "hub", "stop"]),
};

const client = CLIENTS[story.client];
await client.prepare?.();
let failed = 0;
if (story.typed) failed += await run(inTerminal());
else for (const [at, prompt] of story.prompts.entries()) failed += await run(client.command(prompt, at > 0));
await client.tidy?.();
await server.close();
if (client.mayFail) failed = 0;
process.exit(failed ? 1 : 0);

/** One process in a terminal of its own, in which a person seems to type. */
function inTerminal() {
  delete client.env.CI;
  client.env.TERM = "xterm";
  const lines = JSON.stringify([...story.prompts, client.leave]);
  return ["python3", join(import.meta.dirname, "terminal.py"), lines, ...client.typed()];
}

/** A file below the user's folder. */
function put(path, text) {
  mkdirSync(dirname(join(story.home, path)), { recursive: true });
  writeFileSync(join(story.home, path), text);
}

/** One process to its end. */
function run([program, ...args]) {
  const path = `${dirname(story.node)}:/usr/local/bin:/usr/bin:/bin`;
  const home = { HOME: story.home, XDG_STATE_HOME: join(story.home, "state"), TMPDIR: story.out, PATH: path };
  if (story.client !== "opencode") home.XDG_CONFIG_HOME = join(story.home, "config");
  // A program that is built for tests takes longer than one that is built for people.
  const env = { ...home, MENTCI_HOOK_DEADLINE_MS: "8000", TERM: "dumb", LANG: "C.UTF-8", NO_COLOR: "1", no_proxy: "127.0.0.1", NO_PROXY: "127.0.0.1", ...client.env };
  mkdirSync(story.home, { recursive: true });
  return new Promise((ended) => {
    const child = spawn(program, args, { cwd: story.workspace, env, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => process.stderr.write(part));
    child.on("error", (error) => (console.error(String(error)), ended(1)));
    child.on("close", (code) => (clearTimeout(timer), ended(code === 0 ? 0 : 1)));
  });
}
