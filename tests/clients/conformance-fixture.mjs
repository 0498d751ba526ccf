#!/usr/bin/env node
// An MCP server on a pipe with the tools, resources and prompts that the MCP conformance suite asks of a server under test.
// What it can do by itself it must be able to do behind the gateway.
//
//   node conformance-fixture.mjs SDK      SDK: the folder of @modelcontextprotocol/sdk
import { join } from "node:path";

const sdk = (path) => import(join(process.argv[2], "dist/esm", path));
const { Server } = await sdk("server/index.js");
const { StdioServerTransport } = await sdk("server/stdio.js");
const schemas = await sdk("types.js");

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
const text = (words) => ({ type: "text", text: words });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = (uri, words) => ({ type: "resource", resource: { uri, mimeType: "text/plain", text: words } });
const answer = (...content) => ({ content });
const pause = () => new Promise((done) => setTimeout(done, 50));
const NONE = { type: "object", properties: {} };
const asks = (name) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });

/** Asks the client's person for what a schema describes, and says what came. */
const elicits = (properties) => async (_args, { sendRequest }) => {
  const params = { message: "Please say", requestedSchema: { type: "object", properties } };
  const { action, content } = await sendRequest({ method: "elicitation/create", params }, schemas.ElicitResultSchema);
  return answer(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`));
};
const choice = [{ const: "value1", title: "First" }, { const: "value2", title: "Second" }, { const: "value3", title: "Third" }];
const options = { type: "string", enum: ["option1", "option2", "option3"] };

const TOOLS = {
  test_simple_text: [NONE, () => answer(text("This is a simple text response for testing."))],
  test_image_content: [NONE, () => answer(image)],
  test_audio_content: [NONE, () => answer({ type: "audio", data: SILENCE, mimeType: "audio/wav" })],
  test_embedded_resource: [NONE, () => answer(embedded("test://embedded-resource", "This is an embedded resource content."))],
  test_multiple_content_types: [
    NONE,
    () => answer(text("Multiple content types test:"), image, embedded("test://mixed-content-resource", "mixed")),
  ],
  test_error_handling: [NONE, () => ({ isError: true, content: [text("This tool intentionally returns an error for testing")] })],
  test_tool_with_logging: [
    NONE,
    async (_args, { sendNotification }) => {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await sendNotification({ method: "notifications/message", params: { level: "info", data } });
        await pause();
      }
      return answer(text("logged"));
    },
  ],
  test_tool_with_progress: [
    NONE,
    async (_args, { sendNotification, _meta }) => {
      const progressToken = _meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100]) {
        await sendNotification({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        await pause();
      }
      return answer(text("done"));
    },
  ],
  test_sampling: [
    asks("prompt"),
    async ({ prompt }, { sendRequest }) => {
      const params = { messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 };
      const said = await sendRequest({ method: "sampling/createMessage", params }, schemas.CreateMessageResultSchema);
      return answer(text(`LLM response: ${said.content.text}`));
    },
  ],
  test_elicitation: [asks("message"), elicits({ username: { type: "string" }, email: { type: "string" } })],
  test_elicitation_sep1034_defaults: [
    NONE,
    elicits({
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    }),
  ],
  test_elicitation_sep1330_enums: [
    NONE,
    elicits({
      untitledSingle: options,
      titledSingle: { type: "string", oneOf: choice },
      legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
      untitledMulti: { type: "array", items: options },
      titledMulti: { type: "array", items: { anyOf: choice } },
    }),
  ],
  json_schema_2020_12_tool: [
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    () => answer(text("ok")),
  ],
};

const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "watched" },
};

const said = (...parts) => ({ messages: parts.map((content) => ({ role: "user", content })) });
const PROMPTS = {
  test_simple_prompt: [[], () => said(text("This is a simple prompt for testing."))],
  test_prompt_with_arguments: [["arg1", "arg2"], ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  test_prompt_with_embedded_resource: [
    ["resourceUri"],
    ({ resourceUri }) => said(embedded(resourceUri, "Embedded resource content for testing."), text("Please process it.")),
  ],
  test_prompt_with_image: [[], () => said(image, text("Please analyze the image above."))],
};

const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} };
const server = new Server({ name: "conformance-fixture", version: "1" }, { capabilities });
const on = (schema, answered) => server.setRequestHandler(schemas[schema], answered);
on("ListToolsRequestSchema", () => ({
  tools: Object.entries(TOOLS).map(([name, [inputSchema]]) => ({ name, description: name, inputSchema })),
}));
on("CallToolRequestSchema", ({ params }, extra) => {
  const tool = TOOLS[params.name];
  return tool ? tool[1](params.arguments ?? {}, extra) : { isError: true, content: [text(`unknown tool ${params.name}`)] };
});
on("ListResourcesRequestSchema", () => ({ resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })) }));
on("ListResourceTemplatesRequestSchema", () => ({
  resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
}));
on("ReadResourceRequestSchema", ({ params: { uri } }) => {
  const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
  const one = id ? { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) } : RESOURCES[uri];
  if (!one) throw Object.assign(new Error(`no resource ${uri}`), { code: -32002, data: { uri } });
  return { contents: [{ uri, ...one }] };
});
on("SubscribeRequestSchema", () => ({}));
on("UnsubscribeRequestSchema", () => ({}));
on("ListPromptsRequestSchema", () => ({
  prompts: Object.entries(PROMPTS).map(([name, [names]]) => ({ name, description: name, arguments: names.map((name) => ({ name, required: true })) })),
}));
on("GetPromptRequestSchema", ({ params }) => PROMPTS[params.name][1](params.arguments ?? {}));
on("CompleteRequestSchema", () => ({ completion: { values: ["paris"], total: 1, hasMore: false } }));
on("SetLevelRequestSchema", () => ({}));
await server.connect(new StdioServerTransport());
