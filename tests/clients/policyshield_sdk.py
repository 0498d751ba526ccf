"""PolicyShield's own clients against a server: argv is its address, an agent's token and an admin's.

Prints one JSON object: what each client was answered.
"""

import asyncio
import dataclasses
import json
import sys

from policyshield import client as retrying
from policyshield.sdk.client import AsyncPolicyShieldClient, PolicyShieldClient

address, agent, admin = sys.argv[1:]
said = {}

with PolicyShieldClient(address, api_token=agent) as client:
    said["health"] = client.health()
    said["allowed"] = dataclasses.asdict(client.check("exec", {"command": "ls"}, session_id="sdk"))
    said["blocked"] = dataclasses.asdict(client.check("exec", {"command": "rm -rf /"}, session_id="sdk", sender="worker"))
    said["looked"] = client.post_check("read_file", "mail ada@example.org", session_id="sdk")
    asked = client.check("deploy", {"to": "prod"}, session_id="sdk")
    said["asked"] = asked.verdict

    with PolicyShieldClient(address, api_token=admin) as person:
        answer = {"approval_id": asked.approval_id, "approved": True, "responder": "ada"}
        person._client.post("/api/v1/respond-approval", json=answer).raise_for_status()
        said["waited"] = client.wait_for_approval(asked.approval_id, timeout=20, poll_interval=0.1)
        said["killed"] = person.kill("fire")
        said["stopped"] = client.check("exec", {"command": "ls"}, session_id="sdk").verdict
        said["resumed"] = person.resume()
        said["reloaded"] = sorted(person.reload())
    try:
        client.kill("mine")
        said["agent_kills"] = "yes"
    except Exception as error:  # the SDK raises what httpx raises
        said["agent_kills"] = type(error).__name__

with PolicyShieldClient(address, api_token="wrong") as stranger:
    said["stranger"] = stranger.check("exec", {"command": "ls"}).verdict


async def waits():
    async with AsyncPolicyShieldClient(address, api_token=admin) as client:
        said["async_blocked"] = (await client.check("exec", {"command": "rm -rf /"})).verdict
        said["async_killed"] = (await client.kill("fire"))["status"]
        said["async_resumed"] = (await client.resume())["status"]


asyncio.run(waits())

with retrying.PolicyShieldClient(address + "/api/v1", token=agent) as client:
    said["retrying"] = dataclasses.asdict(client.check("exec", {"command": "rm -rf /"}, context={"environment": "prod"}))

print(json.dumps(said))
