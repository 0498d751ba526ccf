#!/usr/bin/env python3
"""Goes through an MCP server with the official Python SDK and prints what it saw as one JSON object.

    mcp_client.py ERA WORKSPACE URL                 streamable HTTP
    mcp_client.py ERA WORKSPACE COMMAND ARG…        stdio; the server runs in WORKSPACE

ERA is `legacy` (the initialize handshake, resources/subscribe) or `auto` (the newest protocol that both
speak; on 2026-07-28 and later changes come by subscriptions/listen).

The JSON: protocol, server, tools, resources, templates, prompts, before and after (the text of
mentci://digest), rules (what get_absolute_rules says), taught and refused ({text, error}), and updated
(the resources that the server said have changed after the lesson).
"""
import asyncio
import json
import sys
import warnings

from mcp import Client, StdioServerParameters, types
from mcp.client.subscriptions import ListenNotSupportedError

DIGEST = "mentci://digest"
LESSON = {
    "skill_name": "sema-programmer",
    "condition": "structural_edit fails on module include macros",
    "resolution": "use text edit to insert #[allow(...)] before the macro",
}
PATIENCE_SECONDS = 10


async def main(era: str, workspace: str, target: list[str]) -> dict:
    updated: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            await updated.put(str(message.params.uri))

    server = target[0]
    if not server.startswith("http://"):
        server = StdioServerParameters(command=server, args=target[1:], cwd=workspace)
    # No cache: every answer is the server's own.
    async with Client(server, mode=era, message_handler=hear, cache=None, read_timeout_seconds=20) as client:
        seen = {
            "protocol": client.protocol_version,
            "server": client.server_info and client.server_info.name,
            "tools": {tool.name: tool.input_schema for tool in (await client.list_tools()).tools},
            "resources": [str(r.uri) for r in (await client.list_resources()).resources],
            "templates": [t.uri_template for t in (await client.list_resource_templates()).resource_templates],
            "prompts": [p.name for p in (await client.list_prompts()).prompts],
            "before": await digest(client),
            "rules": said(await client.call_tool("get_absolute_rules", {})),
            "refused": said(await client.call_tool("update_skill_heuristics", LESSON | {"skill_name": "../etc"})),
        }
        seen["taught"] = await listening(client, updated)
        seen["updated"] = [await asyncio.wait_for(updated.get(), PATIENCE_SECONDS)]
        seen["after"] = await digest(client)
        return seen


async def listening(client: Client, updated: asyncio.Queue[str]) -> dict:
    """Subscribes to the digest, the way this protocol version has it, and teaches."""
    try:
        async with client.listen(resource_subscriptions=[DIGEST]) as changes:
            taught = said(await client.call_tool("update_skill_heuristics", LESSON))
            async with asyncio.timeout(PATIENCE_SECONDS):
                async for change in changes:
                    await updated.put(str(change.uri))
                    break
            return taught
    except ListenNotSupportedError:
        with warnings.catch_warnings(action="ignore"):
            await client.subscribe_resource(DIGEST)
        return said(await client.call_tool("update_skill_heuristics", LESSON))


async def digest(client: Client) -> str:
    return "".join(part.text for part in (await client.read_resource(DIGEST)).contents)


def said(result) -> dict:
    text = "\n".join(part.text for part in result.content if hasattr(part, "text"))
    return {"text": text, "error": bool(result.is_error)}


if __name__ == "__main__":
    era, workspace, *target = sys.argv[1:]
    print(json.dumps(asyncio.run(main(era, workspace, target))))
