"""Checks the SCIM server at SCIM_URL with scim2-tester, and prints a JSON object for each check."""

import json
import os

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

TIMEOUT_S = 60

http = Client(
    base_url=os.environ["SCIM_URL"],
    headers={"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"},
    timeout=TIMEOUT_S,
)
scim = SyncSCIMClient(http)
scim.discover()
for result in check_server(scim):
    print(json.dumps({"check": result.title, "status": result.status.name, "reason": result.reason or ""}))
