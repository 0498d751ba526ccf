#!/usr/bin/env node
// Drives the daemon's page in a real Chromium, step by step, and says what was read on it.
//
//   node page-drive.mjs STORY.json
//
// STORY {
//   "clients":    the folder with playwright-core and axe-core
//   "login":      the link that logs a browser in; used once, later walks come with "state"
//   "state":      a file that keeps the browser's cookies
//   "javascript": false walks without scripts
//   "width":      of the window, 1280 when absent
//   "scheme":     "light" or "dark"
//   "steps":      [STEP, …]
// }
// STEP  { "open": "/rules" }                     another page, which must answer below 400
//       { "post": "/rule/switch", "form": {…}, "status": 403 }  a request beside the page, with its cookies
//       { "click": ["button", "Test"] }          what has this role and name; { "at": n } for the nth
//       { "fill": ["The event, as JSON", "{}"] } the field with this label
//       { "select": ["Decision", "block"] }
//       { "press": "Space" }                     on what has the focus
//       { "focus": ["switch", "…"] }, { "focused": ["switch", "…"] }  with { "at": n } for the nth
//       { "paper": "path" }                      this file, as on a sheet of A4
//       { "wide": ["css", n] }                   each of them at least n pixels
//       { "type": "words" }                      key by key, into what has the focus
//       { "value": ["Why", "words"] }            what stands in the field with this label
//       { "point": ["button", "Allow once"] }    the pointer rests on it
//       { "mouse": "press" }                     whatever is under the pointer by now
//       { "jolt": ["button", "Allow once"] }     it moves, and is pressed in the same moment
//       { "see": "text" }, { "unseen": "text" }  in the page's middle, waited for
//       { "state": ["switch", "name", "checked" | "unchecked" | "disabled" | "enabled"] }
//       { "count": ["css", n] }
//       { "axe": true }                          no serious fault of accessibility
//       { "fits": true }                         nothing stands beyond the window
//       { "touch": "file" }                      tells another process that the walk is here
//       { "shot": "file.png" }
//       { "read": "css" }                        the texts of these elements are told
//
// Writes what was read as JSON. Exit code 1 at the first step that does not hold, and when the page's script or its policy
// complains.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

const LIMIT_MS = 15_000;

const story = JSON.parse(readFileSync(process.argv[2], "utf8"));
const load = createRequire(join(story.clients, "package.json"));
const { chromium } = load("playwright-core");
const axe = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");

function browserPath() {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  if (!found) throw new Error("no Chromium on the PATH");
  return found;
}

const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
const context = await browser.newContext({
  colorScheme: story.scheme ?? "light",
  javaScriptEnabled: story.javascript ?? true,
  viewport: { width: story.width ?? 1280, height: 860 },
  reducedMotion: "reduce",
  ...(existsSync(story.state) ? { storageState: story.state } : {}),
});
context.setDefaultTimeout(LIMIT_MS);
const page = await context.newPage();

const complaints = [];
page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
page.on("dialog", (dialog) => {
  complaints.push(`dialog: ${dialog.message()}`);
  dialog.dismiss();
});
page.on("console", (said) => {
  if (/Content Security Policy|Refused to/.test(said.text())) complaints.push(said.text());
});
page.on("request", (request) => {
  if (new URL(request.url()).origin !== base) complaints.push(`asks elsewhere: ${request.url()}`);
});

const base = new URL(story.login).origin;
const main = page.locator("main");
const named = ([role, name], at = 0) => main.getByRole(role, { name, exact: true }).nth(at);

async function check(holds, what) {
  if (!holds) throw new Error(`${what}\n${await page.url()}\n${await main.innerText()}`);
}

async function open(path) {
  const answer = await page.goto(base + path);
  await check(!answer || answer.status() < 400, `${path} answers ${answer?.status()}`);
}

async function looksLike([role, name, state]) {
  const found = named([role, name]);
  await found.waitFor();
  const checked = async () => (await found.getAttribute("aria-checked")) ?? String(await found.isChecked());
  const until = Date.now() + LIMIT_MS;
  const holds = async () => {
    if (state === "disabled") return found.isDisabled();
    if (state === "enabled") return found.isEnabled();
    return (await checked()) === String(state === "checked");
  };
  while (!(await holds())) {
    await check(Date.now() < until, `${role} \`${name}\` is not ${state}`);
    await page.waitForTimeout(50);
  }
}

async function accessible() {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).join("\n  ")}`);
  await check(serious.length === 0, told.join("\n"));
}

const read = [];
const STEPS = {
  open: (step) => open(step.open),
  post: async ({ post, form, status, origin }) => {
    const answer = await page.request.post(base + post, { form, headers: { origin: origin ?? base }, maxRedirects: 0 });
    await check(answer.status() === status, `${post} answers ${answer.status()}: ${await answer.text()}`);
  },
  click: (step) => named(step.click, step.at).click(),
  fill: ({ fill: [label, text], at }) => main.getByLabel(label, { exact: true }).nth(at ?? 0).fill(text),
  select: ({ select: [label, option] }) => main.getByRole("combobox", { name: label, exact: true }).selectOption(option),
  press: (step) => page.keyboard.press(step.press),
  type: (step) => page.keyboard.type(step.type),
  value: async ({ value: [label, wanted], at }) => {
    const found = await main.getByLabel(label, { exact: true }).nth(at ?? 0).inputValue();
    await check(found === wanted, `\`${found}\` and not \`${wanted}\` stands in ${label}`);
  },
  point: async (step) => {
    const found = named(step.point, step.at);
    await found.scrollIntoViewIfNeeded();
    await found.hover();
  },
  mouse: async () => {
    await page.mouse.down();
    await page.mouse.up();
  },
  jolt: (step) =>
    named(step.jolt, step.at).evaluate((button) => {
      const before = document.createElement("p");
      before.textContent = "it moves";
      button.closest("article").before(before);
      button.click();
    }),
  focus: (step) => named(step.focus, step.at).focus(),
  focused: async (step) => {
    const is = await named(step.focused, step.at).evaluate((element) => element === document.activeElement);
    await check(is, `${step.focused} has not the focus`);
  },
  see: (step) => main.getByText(step.see).first().waitFor(),
  unseen: async (step) => {
    const seen = await main.getByText(step.unseen).filter({ visible: true }).count();
    await check(seen === 0, `\`${step.unseen}\` is there`);
  },
  state: (step) => looksLike(step.state),
  count: async ({ count: [css, wanted] }) => {
    const found = await page.locator(css).count();
    await check(found === wanted, `${found} and not ${wanted} of ${css}`);
  },
  axe: accessible,
  fits: async () => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await check(over <= 0, `the page is ${over} wider than its window`);
  },
  paper: async (step) => {
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: "print" });
    await page.goto("about:blank");
    await page.setContent(readFileSync(step.paper, "utf8"));
  },
  wide: async ({ wide: [css, least] }) => {
    const found = await page.locator(css).evaluateAll((all) => all.map((one) => `${one.getBoundingClientRect().width} ${one.innerText}`));
    const narrow = found.filter((told) => parseFloat(told) < least);
    await check(found.length > 0 && narrow.length === 0, `too narrow: ${narrow.join(", ") || "there is none"}`);
  },
  touch: (step) => writeFileSync(step.touch, ""),
  shot: (step) => page.screenshot({ path: step.shot }),
  read: async (step) => read.push(await page.locator(step.read).allInnerTexts()),
};

let at = 0;
try {
  if (!existsSync(story.state)) {
    await page.goto(story.login);
    await context.storageState({ path: story.state });
  }
  for (const step of story.steps) {
    at += 1;
    const known = Object.keys(STEPS).find((name) => name in step);
    if (!known) throw new Error(`no such step: ${JSON.stringify(step)}`);
    await STEPS[known](step);
  }
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  process.stdout.write(JSON.stringify(read));
} catch (error) {
  const step = JSON.stringify(story.steps[at - 1] ?? "login");
  process.stderr.write(`step ${at} ${step}: ${error.message}\n${complaints.join("\n")}\n`);
  process.exitCode = 1;
} finally {
  await browser.close();
}
