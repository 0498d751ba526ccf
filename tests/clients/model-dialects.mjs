// The scripted model in three more dialects: Anthropic's Messages, OpenAI's Responses and Google's generateContent, streamed
// or not. Each takes a reply of the script (`{ say, call: [{ tool, with }], usedTokens }`) and writes it as its clients read it.

/** What serves a request by its address; none for an address that no dialect has. */
export function dialectOf(url) {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  if (pathname.endsWith("/messages/count_tokens")) return { count: () => ({ input_tokens: 100 }) };
  if (pathname.endsWith(":countTokens")) return { count: () => ({ totalTokens: 100 }) };
  if (pathname.endsWith("/messages")) return { write: messages };
  if (pathname.endsWith("/responses")) return { write: responses };
  if (pathname.endsWith(":streamGenerateContent")) return { write: generateContent(searchParams.get("alt") === "sse") };
  if (pathname.endsWith(":generateContent")) return { write: generateContent(false) };
}

function events(response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return (data, name) => response.write(`${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
}

function json(response, body) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Anthropic's Messages. */
function messages(response, body, id, reply) {
  const content = (reply.call ?? []).map((call, at) => ({
    type: "tool_use",
    id: `toolu_${id}_${at}`,
    name: call.tool,
    input: call.with ?? {},
  }));
  const stop_reason = content.length ? "tool_use" : "end_turn";
  if (reply.say) content.unshift({ type: "text", text: reply.say });
  const usage = { input_tokens: reply.usedTokens ?? 100, output_tokens: 10 };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: body.model, stop_sequence: null, usage };
  if (!body.stream) return json(response, { ...message, content, stop_reason });
  const send = events(response);
  const say = (data) => send(data, data.type);
  say({ type: "message_start", message: { ...message, content: [], stop_reason: null } });
  content.forEach((block, index) => {
    const isText = block.type === "text";
    const begun = isText ? { ...block, text: "" } : { ...block, input: {} };
    const partial_json = JSON.stringify(block.input);
    const delta = isText ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json };
    say({ type: "content_block_start", index, content_block: begun });
    say({ type: "content_block_delta", index, delta });
    say({ type: "content_block_stop", index });
  });
  say({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage });
  say({ type: "message_stop" });
  response.end();
}

/** OpenAI's Responses. */
function responses(response, body, id, reply) {
  const output = (reply.call ?? []).map((call, at) => ({
    type: "function_call",
    id: `fc_${id}_${at}`,
    call_id: `call_${id}_${at}`,
    name: call.tool,
    arguments: JSON.stringify(call.with ?? {}),
    status: "completed",
  }));
  if (reply.say) {
    const content = [{ type: "output_text", text: reply.say, annotations: [] }];
    output.unshift({ type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content });
  }
  const input_tokens = reply.usedTokens ?? 100;
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + 10,
  };
  const whole = { id: `resp_${id}`, object: "response", model: body.model, status: "completed", output, usage };
  if (!body.stream) return json(response, whole);
  const send = events(response);
  const say = (data) => send(data, data.type);
  say({ type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } });
  output.forEach((item, output_index) => {
    say({ type: "response.output_item.added", output_index, item });
    say({ type: "response.output_item.done", output_index, item });
  });
  say({ type: "response.completed", response: whole });
  response.end();
}

/** Google's generateContent; its streams are server-sent events, or one JSON list. */
const generateContent = (sse) => (response, _body, _id, reply) => {
  const parts = (reply.call ?? []).map((call) => ({ functionCall: { name: call.tool, args: call.with ?? {} } }));
  if (reply.say) parts.unshift({ text: reply.say });
  const promptTokenCount = reply.usedTokens ?? 100;
  const usageMetadata = { promptTokenCount, candidatesTokenCount: 10, totalTokenCount: promptTokenCount + 10 };
  const chunk = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }], usageMetadata };
  if (!sse) return json(response, chunk);
  events(response)(chunk);
  response.end();
};
