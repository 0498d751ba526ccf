#!/usr/bin/env node
// A model with a script, on loopback: it speaks OpenAI's Chat Completions, streamed or not, and the dialects of
// model-dialects.mjs, and writes down every request that it was sent. Agent programs run against it offline, and its log shows what a model
// would have been shown.
//
//   import { serve } from "./model-server.mjs";        const server = await serve({ script, log });
//   node model-server.mjs SCRIPT.json LOG.jsonl        prints its port on standard output
//
// SCRIPT   { "turns": [TURN, …], "afterwards": TURN, "aside": TURN }
// TURN     { "say": "text", "call": [{ "tool": "bash", "with": {…} }], "pauseMs": 0, "usedTokens": 100,
//            "tells": "a file that is made when the turn is asked for", "awaits": "a file without which it is not answered" }
// LOG      one line a request: { "kind": "turn" | "aside", "turn": index, "body": {…} }
//
// A request that offers tools is a turn and takes the script's next one; when they run out it gets
// `afterwards`. A request without tools (a summary for compaction, a title) is an aside and takes no turn.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { dialectOf } from "./model-dialects.mjs";

/** Starts the server. Answers `{ port, close }`. */
export async function serve({ script, log }) {
  const model = new ScriptedModel(script);
  writeFileSync(log, "");
  const server = createServer(async (request, response) => {
    const dialect = dialectOf(request.url);
    if (request.method !== "POST" || !(dialect || request.url.endsWith("/chat/completions"))) {
      response.writeHead(404, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message: `not served: ${request.method} ${request.url}` } }));
    }
    const body = JSON.parse(await textOf(request));
    if (dialect?.count) return response.end(JSON.stringify(dialect.count()));
    const { kind, turn, reply } = model.next(body);
    appendFileSync(log, `${JSON.stringify({ kind, turn, body })}\n`);
    if (reply.tells) writeFileSync(reply.tells, "");
    while (reply.awaits && !existsSync(reply.awaits)) await new Promise((done) => setTimeout(done, 10));
    if (reply.pauseMs) await new Promise((done) => setTimeout(done, reply.pauseMs));
    if (dialect) return dialect.write(response, body, model.nextId(), reply);
    const answer = completion(body.model, model.nextId(), reply);
    body.stream ? stream(response, answer) : whole(response, answer);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () =>
    new Promise((closed) => {
      server.closeAllConnections();
      server.close(closed);
    });
  return { port: server.address().port, close };
}

/** Walks through the script: turns in order, asides aside. */
class ScriptedModel {
  #at = 0;
  #ids = 0;

  constructor({ turns = [], afterwards = { say: "done" }, aside = { say: "SUMMARY" } }) {
    Object.assign(this, { turns, afterwards, aside });
  }

  nextId() {
    this.#ids += 1;
    return String(this.#ids).padStart(4, "0");
  }

  next(body) {
    if (!body.tools?.length) return { kind: "aside", turn: null, reply: this.aside };
    const turn = this.#at++;
    return { kind: "turn", turn, reply: this.turns[turn] ?? this.afterwards };
  }
}

/** The parts of one answer, whichever way it is sent. */
function completion(model, id, reply) {
  const calls = (reply.call ?? []).map((call, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: "function",
    function: { name: call.tool, arguments: JSON.stringify(call.with ?? {}) },
  }));
  const used = reply.usedTokens ?? 100;
  return {
    frame: { id: `chatcmpl-${id}`, created: 1, model },
    text: reply.say ?? "",
    calls,
    reason: calls.length ? "tool_calls" : "stop",
    usage: { prompt_tokens: used, completion_tokens: 10, total_tokens: used + 10 },
  };
}

function stream(response, { frame, text, calls, reason, usage }) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const send = (choices, more = {}) =>
    response.write(`data: ${JSON.stringify({ ...frame, object: "chat.completion.chunk", choices, ...more })}\n\n`);
  const delta = (part, finish_reason = null) => send([{ index: 0, delta: part, finish_reason }]);
  delta({ role: "assistant", content: "" });
  if (text) delta({ content: text });
  for (const call of calls) delta({ tool_calls: [call] });
  delta({}, reason);
  send([], { usage });
  response.end("data: [DONE]\n\n");
}

function whole(response, { frame, text, calls, reason, usage }) {
  const tool_calls = calls.map(({ index: _, ...call }) => call);
  const message = { role: "assistant", content: text, ...(tool_calls.length ? { tool_calls } : {}) };
  const choices = [{ index: 0, message, finish_reason: reason }];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...frame, object: "chat.completion", choices, usage }));
}

async function textOf(request) {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return text;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [script, log] = process.argv.slice(2);
  const { port } = await serve({ script: JSON.parse(readFileSync(script, "utf8")), log });
  console.log(port);
}
