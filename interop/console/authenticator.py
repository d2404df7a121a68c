"""A virtual authenticator, as in a phone or laptop with a fingerprint reader, made by the browser (CDP, domain WebAuthn)."""

from __future__ import annotations


class Authenticator:
    """One device with its passkeys, plugged into one page."""

    def __init__(self, session, name: str):
        self.session = session
        self.name = name

    @classmethod
    async def added(cls, desk, *, prf: bool = True, transport: str = "internal") -> Authenticator:
        session = await desk.context.new_cdp_session(desk.page)
        await session.send("WebAuthn.enable")
        made = await session.send(
            "WebAuthn.addVirtualAuthenticator",
            {
                "options": {
                    "protocol": "ctap2",
                    "transport": transport,
                    "hasResidentKey": True,
                    "hasUserVerification": True,
                    "isUserVerified": True,
                    "automaticPresenceSimulation": True,
                    "hasPrf": prf,
                }
            },
        )
        return cls(session, made["authenticatorId"])

    async def send(self, method: str, **options):
        return await self.session.send(f"WebAuthn.{method}", {"authenticatorId": self.name, **options})

    async def recognises(self, owner: bool) -> None:
        """Whether the finger on it is the owner's."""
        await self.send("setUserVerified", isUserVerified=owner)

    async def credentials(self) -> list[dict]:
        return (await self.send("getCredentials"))["credentials"]

    async def take_out(self) -> None:
        await self.send("removeVirtualAuthenticator")
