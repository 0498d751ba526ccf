// The pi extension in its corners, against a stand-in for pi and a stand-in for the engine: what the stories
// with the real pi cannot reach. Run with node >= 22.18, which reads TypeScript: node --test extension.test.mjs
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import mentciWorkspace from "../../Components/harness/assets/mentci-workspace.ts";

const RULES = "# Absolute Rules\ncore-1 Keep it short.";
const NEWER = "# Absolute Rules\ncore-1 Keep it short.\ncore-2 Keep it true.";
const TYPE = "adaptive-authority";
const inherited = { PATH: process.env.PATH };

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mentci-pi-"));
  mkdirSync(join(root, ".pi"));
  writeDigest(RULES);
  process.env.PATH = "/nowhere";
  process.env.MENTCI_POLICY_ENGINE = join(root, "policy-engine");
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  delete process.env.MENTCI_POLICY_ENGINE;
  Object.assign(process.env, inherited);
});

describe("the rules in the system prompt", () => {
  test("stand at its end, as the engine says them", async () => {
    engine({ mode: "system-prompt", text: `${RULES}\n`, findings: [] });
    const pi = new StandIn();
    await pi.prompt("hello");
    assert.equal(pi.systemPrompt, `BASE\n\n${RULES}`);
    assert.deepEqual(calls(), [`inject pi --json --root ${root}`]);
  });

  test("cost one question a prompt and none a request while nothing moves", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    await pi.prompt("hello");
    for (let i = 0; i < 5; i++) assert.equal(await pi.request([user("hello")]), undefined);
    assert.equal(calls().length, 1);
  });

  test("are swapped in the payload when the digest moves in the midst of a run", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    await pi.prompt("hello");
    engine({ mode: "system-prompt", text: NEWER });
    writeDigest(NEWER);
    assert.equal(await pi.request([user("hello")]), undefined);
    const payload = { system: [{ text: pi.systemPrompt }], messages: [{ content: `quoting ${RULES}` }] };
    const sent = await pi.fire("before_provider_request", { payload });
    assert.equal(sent.system[0].text, `BASE\n\n${NEWER}`);
    assert.equal(sent.messages[0].content, `quoting ${RULES}`);
    assert.equal(payload.system[0].text, `BASE\n\n${RULES}`);
    await pi.prompt("next");
    await pi.request([user("next")]);
    assert.equal(await pi.fire("before_provider_request", { payload }), undefined);
  });

  test("are swapped too when the older text holds the whole of the newer one", async () => {
    engine({ mode: "system-prompt", text: NEWER });
    const pi = new StandIn();
    await pi.prompt("hello");
    engine({ mode: "system-prompt", text: RULES });
    writeDigest(RULES);
    await pi.request([user("hello")]);
    assert.equal(await pi.fire("before_provider_request", { payload: pi.systemPrompt }), `BASE\n\n${RULES}`);
  });

  test("come first among the messages when a run started without a prompt", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    const { messages } = await pi.request([user("steered")]);
    assert.deepEqual(messages.map((m) => m.customType ?? m.role), [TYPE, "user"]);
    assert.equal(messages[0].content, `<system-reminder>\n${RULES}\n</system-reminder>`);
    assert.equal(messages[0].display, false);
  });

  test("are not repeated when another copy of the extension put them there", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn(`BASE\n\n${RULES}`);
    await pi.prompt("hello");
    assert.equal(pi.systemPrompt, `BASE\n\n${RULES}`);
  });

  test("an empty digest injects nothing", async () => {
    engine({ mode: "system-prompt", text: "" });
    rmSync(join(root, ".pi/absolute_rules.md"));
    const pi = new StandIn();
    await pi.prompt("hello");
    assert.equal(pi.systemPrompt, "BASE");
    assert.equal(await pi.request([user("hello")]), undefined);
  });
});

describe("full-every-turn", () => {
  test("comes as a hidden reminder, and only the newest copy is sent", async () => {
    engine({ mode: "full-every-turn", text: RULES });
    const pi = new StandIn();
    const { message } = await pi.prompt("hello");
    assert.deepEqual(message, {
      customType: TYPE,
      content: `<system-reminder>\n${RULES}\n</system-reminder>`,
      display: false,
    });
    assert.equal(pi.systemPrompt, "BASE");
    const copy = { role: "custom", ...message };
    const { messages } = await pi.request([user("one"), { ...copy }, user("two"), { ...copy }]);
    assert.deepEqual(messages.map((m) => m.customType ?? m.content), ["one", "two", TYPE]);
  });

  test("is added at the end after an automatic compaction took the copies", async () => {
    engine({ mode: "full-every-turn", text: RULES });
    const pi = new StandIn();
    const { messages } = await pi.request([user("summary")]);
    assert.deepEqual(messages.map((m) => m.customType ?? m.content), ["summary", TYPE]);
  });

  test("is brought up to date in the midst of a run", async () => {
    engine({ mode: "full-every-turn", text: RULES });
    const pi = new StandIn();
    const { message } = await pi.prompt("hello");
    engine({ mode: "full-every-turn", text: NEWER });
    writeDigest(NEWER);
    const { messages } = await pi.request([user("hello"), { role: "custom", ...message }]);
    assert.match(messages[1].content, /Keep it true/);
    assert.equal(messages.length, 2);
  });

  test("leaves no copy behind when the mode becomes system-prompt", async () => {
    engine({ mode: "full-every-turn", text: RULES });
    const pi = new StandIn();
    const { message } = await pi.prompt("hello");
    engine({ mode: "system-prompt", text: RULES });
    await pi.prompt("again");
    const { messages } = await pi.request([user("hello"), { role: "custom", ...message }, user("again")]);
    assert.deepEqual(messages.map((m) => m.content), ["hello", "again"]);
  });

  test("is not summarised", async () => {
    engine({ mode: "full-every-turn", text: RULES });
    const pi = new StandIn();
    const { message } = await pi.prompt("hello");
    const preparation = {
      messagesToSummarize: [user("one"), { role: "custom", ...message }, user("two"), { role: "custom", ...message }],
      turnPrefixMessages: [{ role: "custom", ...message }],
    };
    await pi.fire("session_before_compact", { preparation });
    assert.deepEqual(preparation.messagesToSummarize, [user("one"), user("two")]);
    assert.deepEqual(preparation.turnPrefixMessages, []);
  });
});

describe("without the engine", () => {
  test("the digest on disk serves without its seal, and that is said once", async () => {
    writeFileSync(join(root, ".pi/absolute_rules.md"), `<!-- mentci format=1 rules=1 -->\n${RULES}\n`);
    delete process.env.MENTCI_POLICY_ENGINE;
    const pi = new StandIn();
    for (const text of ["one", "two", "three"]) await pi.prompt(text);
    assert.equal(pi.systemPrompt, `BASE\n\n${RULES}`);
    assert.deepEqual(pi.notices, [
      "mentci: `policy-engine` was not found on `PATH`; the last good Absolute Rules stay in force",
    ]);
  });

  test("a digest that is replaced meanwhile is seen by the next request", async () => {
    const pi = new StandIn();
    await pi.prompt("hello");
    writeDigest(NEWER);
    await pi.request([user("hello")]);
    const sent = await pi.fire("before_provider_request", { payload: { system: pi.systemPrompt } });
    assert.equal(sent.system, `BASE\n\n${NEWER}`);
  });

  test("a variable that names nothing is named, and nothing else is tried", async () => {
    mkdirSync(join(root, "target/debug"), { recursive: true });
    engine({ mode: "system-prompt", text: NEWER }, { at: "target/debug/policy-engine" });
    process.env.MENTCI_POLICY_ENGINE = "no/such/file";
    const pi = new StandIn();
    await pi.prompt("hello");
    assert.equal(pi.systemPrompt, `BASE\n\n${RULES}`);
    assert.match(pi.notices[0], /`MENTCI_POLICY_ENGINE` names `no\/such\/file`, which cannot be run/);
  });

  test("nothing at all to inject is said once", async () => {
    rmSync(join(root, ".pi/absolute_rules.md"));
    const pi = new StandIn();
    for (const text of ["one", "two"]) await pi.prompt(text);
    assert.equal(pi.systemPrompt, "BASE");
    assert.equal(pi.notices.filter((notice) => notice.includes("no Absolute Rules are in force")).length, 1);
  });

  test("standard error is told where there is no screen", async (t) => {
    const said = t.mock.method(console, "error", () => {});
    const pi = new StandIn();
    pi.ctx.hasUI = false;
    await pi.prompt("one");
    await pi.prompt("two");
    assert.equal(said.mock.callCount(), 1);
    assert.deepEqual(pi.notices, []);
  });
});

describe("an engine that fails", () => {
  for (const [name, script, said] of [
    ["is slow", "exec /bin/sleep 30", /took longer than 5000 ms/],
    ["crashes", "echo 'E0101 the lock is damaged' >&2; exit 2", /E0101 the lock is damaged/],
    ["says nonsense", "echo '{'", /gave no answer/],
    ["says something else", "echo '[1]'", /gave no answer/],
  ]) {
    test(`${name}: the last good rules serve`, async () => {
      engine({ mode: "system-prompt", text: NEWER });
      const pi = new StandIn();
      await pi.prompt("one");
      write("policy-engine", `#!/bin/sh\n${script}\n`);
      await pi.prompt("two");
      assert.equal(pi.systemPrompt, `BASE\n\n${NEWER}`);
      assert.equal(pi.notices.length, 1);
      assert.match(pi.notices[0], said);
    });
  }

  test("that answers with an error finding beside the text is shown once and obeyed", async () => {
    const findings = [
      { code: "E0301", severity: "error", message: "`a/SKILL.md` cannot be read", help: "check its permissions" },
      { code: "E0302", severity: "warning", message: "stale" },
    ];
    engine({ mode: "system-prompt", text: RULES, findings }, { code: 1 });
    const pi = new StandIn();
    await pi.prompt("one");
    await pi.prompt("two");
    assert.equal(pi.systemPrompt, `BASE\n\n${RULES}`);
    assert.deepEqual(pi.notices, ["mentci: E0301: `a/SKILL.md` cannot be read. Help: check its permissions."]);
  });

  test("with findings and no text is a failure that is told", async () => {
    engine({ findings: [{ code: "E0101", severity: "error", message: "no workspace here" }] }, { code: 2 });
    const pi = new StandIn();
    await pi.prompt("one");
    assert.equal(pi.systemPrompt, `BASE\n\n${RULES}`);
    assert.match(pi.notices.join("\n"), /E0101: no workspace here/);
  });
});

describe("where the engine is looked for", () => {
  for (const place of ["target/release", "target/debug", "on-path"]) {
    test(place, async () => {
      delete process.env.MENTCI_POLICY_ENGINE;
      process.env.PATH = join(root, "on-path");
      mkdirSync(join(root, place), { recursive: true });
      engine({ mode: "system-prompt", text: NEWER }, { at: `${place}/policy-engine` });
      const pi = new StandIn();
      await pi.prompt("hello");
      assert.equal(pi.systemPrompt, `BASE\n\n${NEWER}`);
    });
  }

  test("from a folder inside the workspace", async () => {
    engine({ mode: "system-prompt", text: NEWER });
    const pi = new StandIn();
    pi.ctx.cwd = join(root, "src/deep");
    mkdirSync(pi.ctx.cwd, { recursive: true });
    await pi.prompt("hello");
    assert.deepEqual(calls(), [`inject pi --json --root ${root}`]);
  });
});

describe("active skills", () => {
  test("are those whose SKILL.md was read, in that order, and they stay", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    await pi.read(".pi/skills/zeta/SKILL.md");
    await pi.read("/abs/.claude/skills/alpha-2/SKILL.md");
    await pi.read(".pi/skills/zeta/SKILL.md");
    await pi.read(".pi/skills/refused/SKILL.md", true);
    await pi.read("SKILL.md");
    await pi.read("skills/../x y/SKILL.md");
    await pi.prompt("hello");
    assert.deepEqual(calls(), [`inject pi --json --active zeta,alpha-2 --root ${root}`]);
  });

  test("are those that a prompt invoked", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    await pi.prompt('<skill name="sema-programmer" location="/x">\n…</skill>');
    assert.match(calls()[0], /--active sema-programmer /);
  });

  test("are recalled from a session that is continued", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    const read = (id, path) => ({ type: "toolCall", id, name: "read", arguments: { path } });
    const done = (toolCallId, isError) => ({ type: "message", message: { role: "toolResult", toolCallId, isError } });
    pi.branch = [
      { type: "model_change" },
      { type: "message", message: user('<skill name="first" location="/x">') },
      { type: "message", message: { role: "assistant", content: [read("1", "skills/second/SKILL.md"), read("2", "skills/gone/SKILL.md")] } },
      done("1", false),
      done("2", true),
    ];
    await pi.fire("session_start", { reason: "resume" });
    await pi.prompt("hello");
    assert.match(calls()[0], /--active first,second /);
  });
});

describe("teaching", () => {
  const lesson = { skill_name: "sema", condition: "--it fails", resolution: "do $(this) \"instead\"", context: "seen" };

  test("hands the words over untouched and answers with the engine's sentence", async () => {
    engine({ id: "l-1", status: "active", path: "x/runtime.edn", message: "kept as l-1" });
    const result = await new StandIn().teach(lesson);
    assert.equal(result.content[0].text, "kept as l-1");
    assert.deepEqual(argv(), [
      "lessons", "add", "--skill=sema", "--condition=--it fails", '--resolution=do $(this) "instead"', "--context=seen",
      "--session=session-1", "--source=pi", "--json", "--root", root,
    ]);
  });

  test("takes the camelCase names too", () => {
    const { prepareArguments } = new StandIn().tools.get("update_skill_heuristics");
    assert.deepEqual(prepareArguments({ skillName: "a", condition: "b", resolution: "c" }), { skill_name: "a", condition: "b", resolution: "c" });
    assert.deepEqual(prepareArguments(lesson), lesson);
  });

  test("is refused with a sentence that says what to do", async () => {
    engine({ findings: [{ code: "E0701", severity: "error", message: "unknown skill `sema`", help: "skills: `a`, `b`" }] }, { code: 2 });
    await assert.rejects(new StandIn().teach(lesson), { message: "E0701: unknown skill `sema`. Help: skills: `a`, `b`." });
  });

  test("is kept when it waits for a person, and the sentence says so", async () => {
    const findings = [{ code: "E0507", severity: "note", message: "waits" }];
    engine({ id: "l-1", status: "pending", message: "l-1 waits for a person", findings }, { code: 1 });
    const result = await new StandIn().teach(lesson);
    assert.equal(result.content[0].text, "l-1 waits for a person");
  });

  test("without an engine tells the agent to tell the user", async () => {
    await assert.rejects(new StandIn().teach(lesson), /was not kept: .* Tell the user; do not edit runtime\.edn by hand\./);
  });

  test("makes the next request ask anew", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    await pi.prompt("hello");
    engine({ id: "l-1", status: "active", message: "kept" });
    await pi.teach(lesson);
    engine({ mode: "system-prompt", text: NEWER });
    await pi.request([user("hello")]);
    const sent = await pi.fire("before_provider_request", { payload: pi.systemPrompt });
    assert.equal(sent, `BASE\n\n${NEWER}`);
  });

  test("text that cannot be an argument is refused, not thrown about", async () => {
    engine({ id: "l-1" });
    await assert.rejects(new StandIn().teach({ ...lesson, condition: "nul \0 byte" }), /cannot be run/);
  });
});

test("/absolute-rules shows what stands in every request", async () => {
  engine({ mode: "system-prompt", text: RULES });
  const pi = new StandIn();
  await pi.commands.get("absolute-rules").handler("", pi.ctx);
  assert.deepEqual(pi.notices, [RULES]);
});

/** As much of pi as the extension touches. */
class StandIn {
  handlers = new Map();
  tools = new Map();
  commands = new Map();
  notices = [];
  branch = [];

  constructor(base = "BASE") {
    this.base = this.systemPrompt = base;
    this.ctx = {
      cwd: root,
      hasUI: true,
      ui: { notify: (message) => this.notices.push(message) },
      getSystemPrompt: () => this.systemPrompt,
      sessionManager: { getBranch: () => this.branch, getSessionId: () => "session-1" },
    };
    mentciWorkspace({
      on: (event, handler) => this.handlers.set(event, handler),
      registerTool: (tool) => this.tools.set(tool.name, tool),
      registerCommand: (name, command) => this.commands.set(name, command),
    });
  }

  fire(event, payload) {
    return this.handlers.get(event)({ type: event, ...payload }, this.ctx);
  }

  async prompt(prompt) {
    const result = await this.fire("before_agent_start", { prompt, systemPrompt: this.base });
    this.systemPrompt = result?.systemPrompt ?? this.base;
    return result;
  }

  request(messages) {
    return this.fire("context", { messages });
  }

  read(path, isError = false) {
    return this.fire("tool_result", { toolName: "read", input: { path }, isError });
  }

  teach(lesson) {
    return this.tools.get("update_skill_heuristics").execute("id", lesson, undefined, undefined, this.ctx);
  }
}

function user(content) {
  return { role: "user", content };
}

function write(name, text) {
  writeFileSync(join(root, name), text);
  chmodSync(join(root, name), 0o755);
}

function writeDigest(text) {
  writeFileSync(join(root, ".pi/absolute_rules.md"), `${text}\n`);
}

/** An engine that writes down how it was called and gives this answer. */
function engine(answer, { code = 0, at = "policy-engine" } = {}) {
  writeFileSync(join(root, "answer.json"), JSON.stringify(answer));
  const note = `echo "$*" >>${root}/calls; printf '%s\\0' "$@" >${root}/argv`;
  write(at, `#!/bin/sh\n${note}\nexec_cat() { while IFS= read -r line || [ -n "$line" ]; do printf '%s\\n' "$line"; done; }\nexec_cat <${root}/answer.json\nexit ${code}\n`);
}

function calls() {
  const path = join(root, "calls");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

function argv() {
  return readFileSync(join(root, "argv"), "utf8").split("\0").slice(0, -1);
}
