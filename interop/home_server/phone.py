"""The phone: rust-nostr with a link, in a process of its own. Pairs, asks for a signature, and prints the signed event.

rust-nostr trusts public authorities only. So a forwarder on the phone speaks TLS for it, and trusts the home's authority: LINK ROOT.
"""

import asyncio
import ssl
import sys
from datetime import timedelta
from urllib.parse import parse_qs, quote, urlsplit

import nostr_sdk as sdk


async def forwarded(relay: str, root: str) -> str:
    """An address of this machine behind which a relay is, with its certificate checked."""
    host, path = urlsplit(relay).hostname, urlsplit(relay).path

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(65536):
            writer.write(some)
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(host, 443, ssl=ssl.create_default_context(cafile=root))
        asked = await reader.readuntil(b"\r\n\r\n")
        there_writer.write(asked.replace(f"127.0.0.1:{port}".encode(), host.encode()))
        await asyncio.gather(copy(reader, there_writer), copy(there_reader, writer))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    servers.append(server)
    return f"ws://127.0.0.1:{port}{path}"


servers: list[asyncio.Server] = []


async def main(link: str, root: str) -> None:
    [relay] = parse_qs(urlsplit(link).query)["relay"]
    link = link.replace(quote(relay, safe=""), quote(await forwarded(relay, root), safe=""))
    app = sdk.NostrConnect(sdk.NostrConnectUri.parse(link), sdk.Keys.generate(), timedelta(seconds=60), None)
    user = await app.get_public_key_async()
    event = await app.sign_event_async(sdk.EventBuilder(sdk.Kind(1), "from the phone").finalize_unsigned(user))
    assert event.verify()
    print(event.as_json(), flush=True)


asyncio.run(main(*sys.argv[1:]))
