"""CoreNostr's NIP-46 models (Swift), with the plainest transport an app would write around them."""

from __future__ import annotations

import json
import uuid

from reference.links import BunkerLink

from .base import Client, Rejected


class CoreNostr(Client):
    """Requests come from JSONEncoder, which escapes every slash; responses are decoded into optional strings."""

    by_nostrconnect = False
    has_switch_relays = False
    has_logout = False

    def new_id(self) -> str:
        return str(uuid.uuid4()).upper()

    def request_text(self, id: str, method: str, params: list) -> str:
        escaped = json.dumps({"params": params, "method": method, "id": id}, ensure_ascii=False)
        return escaped.replace("/", "\\/")

    def handle(self, event: dict, response: dict) -> None:
        if event["pubkey"] != self.signer:
            return
        id, result, error = response["id"], response.get("result"), response.get("error")
        if not isinstance(id, str) or not isinstance(result, str | None) or not isinstance(error, str | None):
            raise AssertionError(f"JSONDecoder cannot read {response}")
        if error is not None:
            self.settle(id, error=error)
        elif result is None:
            self.settle(id, error="no result")
        else:
            self.settle(id, result=result)

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays)
        if await self.request("connect", [link.signer, link.secret or ""]) not in ("ack", link.secret):
            raise Rejected("unexpected connect result")
