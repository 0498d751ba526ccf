#!/usr/bin/env node
// Puts a server on a pipe behind an address of streamable HTTP, for clients that know no pipes: each session is a process,
// and every message goes through as it is.
//
//   node mcp-bridge.mjs SDK COMMAND…      SDK: the folder of @modelcontextprotocol/sdk; prints its address
import { createServer } from "node:http";
import { join } from "node:path";

const [from, command, ...args] = process.argv.slice(2);
const sdk = (path) => import(join(from, "dist/esm", path));
const { StreamableHTTPServerTransport } = await sdk("server/streamableHttp.js");
const { StdioClientTransport } = await sdk("client/stdio.js");

const sessions = new Map();
const http = createServer(async (request, response) => {
  const session = sessions.get(request.headers["mcp-session-id"]) ?? (await begin());
  await session.handleRequest(request, response);
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));

/** A session of its own: a transport to the client, and a process behind it. */
async function begin() {
  const near = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, near),
  });
  const far = new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
  /** Requests whose answers are awaited: what a server says beside an answer goes where that answer goes. */
  const open = [];
  near.onmessage = (message) => {
    if (message.method && message.id !== undefined) open.push(message.id);
    far.send(message);
  };
  far.onmessage = (message) => {
    const answers = message.method === undefined;
    if (answers) open.splice(open.indexOf(message.id), 1);
    near.send(message, answers ? undefined : { relatedRequestId: open.at(-1) }).catch(() => {});
  };
  near.onclose = () => far.close();
  await near.start();
  await far.start();
  return near;
}
