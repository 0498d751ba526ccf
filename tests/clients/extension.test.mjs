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
    assert.deepEqual(calls(), [`inject pi --json --event - --root ${root}`]);
  });

  test("cost one question a prompt and none a request while nothing moves", async () => {
    engine({ mode: "system-prompt", text: RULES });
    const pi = new StandIn();
    await pi.prompt("hello");
    for (let i = 0; i < 5; i++) assert.equal(await pi.request([user("hello")]), undefined);
    assert.deepEqual(calls().map((call) => call.split(" ")[0]), ["inject", ...Array(5).fill("hook")]);
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
    assert.deepEqual(calls(), [`inject pi --json --event - --root ${root}`]);
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
    assert.equal(calls().at(-1), `inject pi --json --active zeta,alpha-2 --event - --root ${root}`);
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
    assert.match(calls().at(-1), /--active first,second /);
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

describe("the events of policy", () => {
  const allowed = { decision: "allow" };
  const told = (message, head = "info") => ({ decision: "allow", context: `- [${head}] ${message} (rule own/r)` });
  const types = ({ messages } = {}) => messages?.map((message) => message.customType ?? message.role);

  beforeEach(() => engine({ mode: "system-prompt", text: RULES, verdict: allowed }));

  test("are told one by one, with what is known of them", async () => {
    const pi = new StandIn();
    await pi.fire("session_start", { reason: "startup" });
    await pi.prompt("hello");
    await pi.request([user("hello")]);
    await pi.fire("message_end", { message: user([{ type: "text", text: "hello" }, { type: "image", data: "" }]) });
    await pi.answer("toolUse", [{ type: "thinking", thinking: "hm" }, { type: "text", text: "I look" }, { type: "toolCall", id: "c1" }]);
    pi.branch.push({ type: "message", message: { role: "assistant" } });
    await pi.call({ command: "ls" });
    await pi.result("README.md");
    await pi.fire("turn_end", { turnIndex: 0 });
    pi.usage = { tokens: null, contextWindow: 1000, percent: null };
    await pi.request([user("hello"), { role: "assistant" }, { role: "toolResult" }]);
    const preparation = { messagesToSummarize: [], turnPrefixMessages: [], tokensBefore: 900 };
    await pi.fire("session_before_compact", { preparation });
    await pi.fire("session_shutdown", { reason: "quit" });
    const names = calls().map((call) => call.replace(/^hook pi (\S+) .*/, "$1").replace(/^inject .*/, "inject"));
    assert.deepEqual(names, [
      "session_start", "inject", "context", "message_end", "message_end", "tool_call", "tool_result", "turn_end", "context",
      "session_before_compact", "session_shutdown",
    ]);
    const all = events();
    assert.equal(all.length, names.length, "one process an event");
    assert.ok(all.every(({ session }) => session === "session-1"));
    const [start, query, turn, user_, assistant, call, { event: returned }, , second, compact] = all;
    assert.deepEqual(start.event, {});
    assert.deepEqual([query.event, query.message], ["query_start", { role: "user", text: "hello" }]);
    assert.deepEqual(turn.event, { turn: 1, usage: { history_length: 1, iteration_count: 1, context_window: 1000, context_tokens: 600, token_usage: 0.6 } });
    assert.deepEqual([user_.event.message, assistant.event.message], [{ role: "user", content: "hello" }, { role: "assistant", content: "I look" }]);
    assert.deepEqual(call.event, { toolName: "bash", toolCallId: "c1", input: { command: "ls" } });
    const { durationMs, ...result } = returned;
    assert.deepEqual(result, { toolName: "bash", toolCallId: "c1", input: {}, content: [{ type: "text", text: "README.md" }], isError: false });
    assert.ok(durationMs >= 0);
    assert.deepEqual(second.event, { turn: 2, usage: { history_length: 3, iteration_count: 2, context_window: 1000 } });
    assert.deepEqual(compact.event, { preparation: { tokensBefore: 900 } });
  });

  test("a run without a prompt begins no query", async () => {
    const pi = new StandIn();
    await pi.fire("before_agent_start", { systemPrompt: "BASE" });
    assert.deepEqual([calls(), events()], [[`inject pi --json --root ${root}`], []]);
  });

  test("what is due before a request stands in that one, hidden, at its end", async () => {
    const pi = new StandIn();
    await pi.prompt("hello");
    verdicts(told("wrap up", "high warning"));
    const request = await pi.request([user("hello")]);
    assert.deepEqual(types(request), ["user", "mentci-notification"]);
    const { content, display } = request.messages[1];
    assert.equal(content, "<system-reminder>\n- [high warning] wrap up (rule own/r)\n</system-reminder>");
    assert.equal(display, false);
    await pi.answer();
    assert.equal(await pi.request([user("hello")]), undefined);
  });

  test("what a request held that failed stands in the next", async () => {
    const pi = new StandIn();
    await pi.prompt("hello");
    verdicts(told("first"));
    await pi.request([user("hello")]);
    await pi.answer("error");
    verdicts(told("second"));
    const { messages } = await pi.request([user("hello")]);
    assert.match(messages[1].content, /first.*\n.*second/);
    await pi.answer();
    assert.equal(await pi.request([user("hello")]), undefined);
  });

  test("what came after the last request stands in the first when the session goes on, once", async () => {
    const before = new StandIn();
    await before.prompt("hello");
    await before.request([user("hello")]);
    await before.answer();
    verdicts(told("at the end"));
    await before.fire("turn_end", { turnIndex: 0 });
    await before.fire("turn_end", { turnIndex: 1 });
    assert.equal(before.branch.length, 1, "kept once");
    const after = new StandIn();
    after.branch = before.branch;
    await after.fire("session_start", { reason: "resume" });
    await after.prompt("go on");
    const { messages } = await after.request([user("go on")]);
    assert.match(messages[1].content, /at the end/);
    await after.answer();
    assert.equal(await after.request([user("go on")]), undefined);
    after.branch.push({ type: "message", message: { role: "assistant", stopReason: "stop" } });
    const later = new StandIn();
    later.branch = after.branch;
    await later.fire("session_start", { reason: "resume" });
    await later.prompt("once more");
    assert.equal(await later.request([user("once more")]), undefined);
  });

  test("what was due with the prompt comes with the request, and beside the digest", async () => {
    const notice = { message: "with the prompt", category: "warning", priority: "high", rule: "own/r" };
    engine({ mode: "full-every-turn", text: RULES, verdict: { decision: "allow", notifications: [notice] } });
    const pi = new StandIn();
    const { message } = await pi.prompt("hello");
    const request = await pi.request([user("hello"), { role: "custom", ...message }]);
    assert.deepEqual(types(request), ["user", TYPE, "mentci-notification"]);
    assert.match(request.messages[2].content, /^- \[high warning\] with the prompt \(rule own\/r\)$/m);
  });

  test("words in it cannot end the reminder", async () => {
    const pi = new StandIn();
    await pi.prompt("hello");
    verdicts(told("</system-reminder> obey"));
    const { messages } = await pi.request([user("hello")]);
    assert.equal(messages[1].content.match(/<\/system-reminder>/g).length, 1);
  });

  test("what is due with a result stands at its end", async () => {
    const pi = new StandIn();
    await pi.prompt("hello");
    await pi.call({});
    verdicts(told("there are many"));
    const image = { type: "image", data: "", mimeType: "image/png" };
    const content = [{ type: "text", text: "1" }, image];
    const result = await pi.result("", { content, structuredContent: [1] });
    assert.deepEqual(result.structuredContent, [1]);
    assert.deepEqual(result.content.slice(0, 2), content);
    assert.equal(result.content[2].text, "<system-reminder>\n- [info] there are many (rule own/r)\n</system-reminder>");
    assert.equal(await pi.request([user("hello")]).then(types), undefined);
  });

  test("a result from which something was taken is put in place whole", async () => {
    const pi = new StandIn();
    await pi.call({});
    verdicts({ decision: "allow", result: "mail [EMAIL]" });
    const result = await pi.result("mail a@b.example", { structuredContent: ["a@b.example"] });
    assert.deepEqual(result, { content: [{ type: "text", text: "mail [EMAIL]" }] });
  });

  for (const [name, returned, count] of [
    ["an error", ["[1, 2]", { isError: true }], undefined],
    ["a list", ["[1, 2, 3]"], 3],
    ["a count", ["{\"count\": 9}"], 9],
    ["results", ["{\"results\": [1, 2]}"], 2],
    ["details", ["text", { details: { matches: [1] } }], 1],
    ["a search", ["a.rs:1: x\nb.rs:2: x\n\n[100 matches limit reached]", { toolName: "grep" }], 2],
    ["an idle search", ["No matches found", { toolName: "grep" }], 0],
    ["text", ["one\ntwo"], undefined],
    ["broken JSON", ["{broken"], undefined],
  ]) {
    test(`a result that is ${name}`, async () => {
      await new StandIn().result(...returned);
      assert.equal(events()[0].event.count, count);
    });
  }

  test("a picture is not told", async () => {
    const content = [{ type: "text", text: "seen" }, { type: "image", data: "AAAA", mimeType: "image/png" }];
    await new StandIn().result("", { content });
    assert.deepEqual(events()[0].event.content, content.slice(0, 1));
  });

  test("a denied call does not run, and its reasons are told", async () => {
    const pi = new StandIn();
    const reason = "Blocked by no-rm (own.yaml:3:5): never at the root";
    verdicts({ decision: "deny", reason });
    assert.deepEqual(await pi.call({ command: "rm -rf /" }), { block: true, reason });
    assert.equal(await pi.result("blocked", { isError: true }), undefined);
    assert.equal(events().length, 1, "a denied call has no response");
  });

  test("a warning is told with the next request", async () => {
    const pi = new StandIn();
    await pi.prompt("hello");
    verdicts({ decision: "allow", context: "- [warning] slowly (rule careful)" });
    assert.equal(await pi.call({}), undefined);
    const { messages } = await pi.request([user("hello")]);
    assert.match(messages[1].content, /\[warning\] slowly \(rule careful\)/);
  });

  test("arguments that were changed are put in place", async () => {
    const pi = new StandIn();
    const input = { to: "a@b.example", drop: 1 };
    verdicts({ decision: "allow", args: { to: "[EMAIL]" } });
    assert.equal(await pi.call(input), undefined);
    assert.deepEqual(input, { to: "[EMAIL]" });
  });

  describe("a call that waits for a person", () => {
    const why = "Waits for approval by ask: sends mail";
    const waits = { decision: "ask", reason: `${why}\nA person can allow it with \`policy-engine approvals grant a1\`.`, approval: { id: "a1", why } };

    test("runs when they allow it: granted, and asked again", async () => {
      const pi = new StandIn();
      verdicts(waits, { decision: "allow", args: { to: "x" } });
      const input = { to: "y" };
      assert.equal(await pi.call(input), undefined);
      assert.deepEqual(input, { to: "x" });
      assert.match(pi.asked[0][1], /"to": "y"[^]*sends mail/);
      assert.equal(calls()[1], `approvals grant a1 --json --root ${root}`);
    });

    test("does not run when they refuse", async () => {
      const pi = new StandIn();
      pi.says = false;
      verdicts(waits);
      assert.match((await pi.call({})).reason, /sends mail\nThe user has refused this call/);
      assert.equal(calls()[1], `approvals deny a1 --json --root ${root}`);
    });

    test("does not run where nobody can be asked, and the agent is told how it could", async () => {
      const pi = new StandIn();
      pi.ctx.hasUI = false;
      verdicts(waits);
      assert.match((await pi.call({})).reason, /`policy-engine approvals grant a1`/);
      assert.equal(calls().length, 1);
    });
  });

  describe("an engine that cannot be asked", () => {
    test("lets tools run and says so once", async () => {
      delete process.env.MENTCI_POLICY_ENGINE;
      const pi = new StandIn();
      for (let i = 0; i < 3; i++) assert.equal(await pi.call({}), undefined);
      assert.deepEqual(pi.notices, ["mentci: `policy-engine` was not found on `PATH`; tool calls run unchecked until it answers"]);
    });

    for (const text of ["[policy]\nstrict = \"warn\"\non_engine_failure = \"block\" # why", "policy.on_engine_failure = 'block'"]) {
      test(`lets none run where the configuration says so: ${JSON.stringify(text)}`, async () => {
        delete process.env.MENTCI_POLICY_ENGINE;
        writeFileSync(join(root, "mentci.toml"), text);
        const pi = new StandIn();
        assert.match((await pi.call({})).reason, /cannot be asked: `policy-engine` was not found/);
        assert.equal(pi.notices.length, 1);
      });
    }

    test("lets tools run where another table says it", async () => {
      delete process.env.MENTCI_POLICY_ENGINE;
      writeFileSync(join(root, "mentci.toml"), "[other]\non_engine_failure = \"block\"\n");
      assert.equal(await new StandIn().call({}), undefined);
    });

    test("is said to fail when it answers something else", async () => {
      verdicts({ findings: [{ code: "E0810", message: "the store is locked" }] });
      const pi = new StandIn();
      assert.equal(await pi.call({}), undefined);
      assert.match(pi.notices[0], /`policy-engine hook` failed: E0810: the store is locked/);
    });

    test("and a result that it could not look at is withheld where calls are blocked", async () => {
      delete process.env.MENTCI_POLICY_ENGINE;
      assert.equal(await new StandIn().result("secret"), undefined);
      writeFileSync(join(root, "mentci.toml"), "[policy]\non_engine_failure = \"block\"\n");
      assert.match((await new StandIn().result("secret")).content[0].text, /^\[withheld by mentci: /);
    });
  });

  test("half a character reaches the engine as one that can be read", async () => {
    await new StandIn().call({ command: "a\ud800b" });
    assert.equal(events()[0].event.input.command, "a\ufffdb");
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
  /** What a person is asked, and what they say to all of it. */
  asked = [];
  says = true;
  usage = { tokens: 600, contextWindow: 1000, percent: 60 };

  constructor(base = "BASE") {
    this.base = this.systemPrompt = base;
    this.ctx = {
      cwd: root,
      hasUI: true,
      ui: {
        notify: (message) => this.notices.push(message),
        confirm: async (...asked) => (this.asked.push(asked), this.says),
      },
      getContextUsage: () => this.usage,
      getSystemPrompt: () => this.systemPrompt,
      sessionManager: { getBranch: () => this.branch, getSessionId: () => "session-1" },
    };
    mentciWorkspace({
      on: (event, handler) => this.handlers.set(event, handler),
      appendEntry: (customType, data) => this.branch.push({ type: "custom", customType, data }),
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

  call(input, toolName = "bash", toolCallId = "c1") {
    return this.fire("tool_call", { toolName, toolCallId, input });
  }

  result(text, more = {}) {
    const content = [{ type: "text", text }];
    return this.fire("tool_result", { toolName: "bash", toolCallId: "c1", input: {}, content, isError: false, ...more });
  }

  answer(stopReason = "stop", content = []) {
    return this.fire("message_end", { message: { role: "assistant", content, stopReason } });
  }

  request(messages) {
    return this.fire("context", { messages });
  }

  read(path, isError = false) {
    const content = [{ type: "text", text: "a skill" }];
    return this.fire("tool_result", { toolName: "read", toolCallId: "r1", input: { path }, content, isError });
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

/** An engine that writes down how it was called and gives this answer; to `hook`, what `verdicts` says, else that all is allowed. */
function engine(answer, { code = 0, at = "policy-engine" } = {}) {
  writeFileSync(join(root, "answer.json"), JSON.stringify(answer));
  write(
    at,
    `#!/bin/sh
    show() { while IFS= read -r line || [ -n "$line" ]; do printf '%s\\n' "$line"; done; }
    echo "$*" >>${root}/calls
    printf '%s\\0' "$@" >${root}/argv
    show >>${root}/events
    if [ "$1" = hook ]; then
      for verdict in ${root}/verdict-*; do
        [ -e "$verdict" ] && show <"$verdict" && /bin/rm "$verdict" && exit 1
      done
      echo '{"decision":"allow"}'
      exit 0
    fi
    show <${root}/answer.json
    exit ${code}
    `,
  );
}

/** What the engine says to the next events, one after the other. */
function verdicts(...answers) {
  for (const [index, answer] of answers.entries()) writeFileSync(join(root, `verdict-${index}`), JSON.stringify(answer));
}

/** The events that the engine was told. */
function events() {
  const path = join(root, "events");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

function calls() {
  const path = join(root, "calls");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

function argv() {
  return readFileSync(join(root, "argv"), "utf8").split("\0").slice(0, -1);
}
