// An iPhone's notification service extension, played on Linux: the app hands its state over, a push tells of a request, the extension answers
// it, and the app takes over what was noted. The relay is a list in memory; on an iPhone it is a URLSessionWebSocketTask (docs/IPHONE.md).
import Curve
import Nostr
import NotificationServiceCore
import RemoteSigning
import SecretMemory

/// What the host brings along: connections to relays. This one takes whatever is published.
struct MemoryTransport: NotificationTransport {
  func connect(to relay: RelayURL, telling events: RelayEvents) -> any RelayLink {
    events.opened()
    return Link(events: events)
  }

  struct Link: RelayLink {
    let events: RelayEvents

    func send(_ text: String) {
      guard case .event(let event)? = try? ClientMessage(parsing: Array(text.utf8)) else { return }
      print("published: kind \(event.kind)")
      events.received(String(decoding: RelayMessage.ok(id: event.id, accepted: true, message: "").json(), as: UTF8.self))
    }

    func close() {}
  }
}

guard CommandLine.arguments.count == 2 else { fatalError("usage: NotificationServiceExample FOLDER") }
let folder = ExtensionFolder(CommandLine.arguments[1])
try folder.make()
let now: Int64 = 1_750_000_000
let relay = RelayURL("wss://relay.example.com")!

// The app: a key, and an app that is paired with it.
let key = try ExtensionKey.random()  // kept in the Keychain
let (identity, signer, client) = (try KeyPair.random(), try KeyPair.random(), try KeyPair.random())
var state = ExtensionState(revision: 1, writtenAt: now - 10)
state.identities = [.init(name: "main", publicKey: identity.publicKey, hold: .open(identity))]
let pairing = Pairing(
  remoteSigner: signer.publicKey, client: client.publicKey, identity: identity.publicKey, pairedAt: now - 100, name: "Coracle",
  grant: Grant(trust: .medium), relays: [relay])
state.pairings = [.init(pairing, signer: signer)]
do {
  let lock = try folder.lock(milliseconds: 1_000)
  try folder.handOver(state, with: key, holding: lock)
}

// Somewhere else, the paired app asks, and a push proxy wakes the phone.
var app = RemoteSigner(link: BunkerURI(remoteSigner: signer.publicKey, relays: [relay], secret: nil), client: client)
var pushes: [[UInt8]] = []
for kind in [1, 0] {
  let (_, event) = try app.request(.signEvent, [#"{"kind":\#(kind),"content":"hello","tags":[],"created_at":\#(now)}"#], now: now)
  pushes.append(Array(#"{"relay_url":"\#(relay.text)","event":\#(String(decoding: event.json(), as: UTF8.self))}"#.utf8))
}

// The extension.
let service = NotificationService(folder, key: key, transport: MemoryTransport(), now: { now })
for push in pushes {
  let outcome = service.handle(payload: push)
  print("\(outcome.result.rawValue): \(outcome.title) | \(outcome.body)")
}

// The app again.
let lock = try folder.lock(milliseconds: 1_000)
try folder.takeBack(with: key, holding: lock) { taken in
  for entry in taken.entries { print("taken over: \(entry.decision?.verdict.rawValue ?? "-"), \(entry.fate)") }
}
