public import Curve
import Encodings
import JSON
public import Nostr
public import NotificationServiceCore
import Platform
public import RemoteSigning
import SecretMemory

/// A phone with an app that handed its state to its extension, the apps that ask, and the relay between them.
public final class Phone {
  /// What its clock shows at first, seconds since 1970.
  public static let start: Int64 = 1_750_000_000
  /// The relay of all apps unless told otherwise.
  public static let relay = RelayURL("wss://relay.example.com")!  // a constant of ours

  /// What app and extension share.
  public let folder: ExtensionFolder
  /// The key of that.
  public let key: ExtensionKey
  /// The owner's key.
  public let identity: KeyPair
  /// All relays there are.
  public let relays: MemoryRelays
  /// What the app hands over next.
  public var state: ExtensionState
  /// Seconds since 1970.
  public var now = start

  /// - Parameter path: of a folder that is not there yet.
  public init(_ path: String) throws {
    folder = ExtensionFolder(path)
    key = try ExtensionKey.random()
    identity = try KeyPair.random()
    relays = MemoryRelays(now: Self.start)
    state = ExtensionState(revision: 1, writtenAt: Self.start - 60)
    state.identities = [.init(name: "main", publicKey: identity.publicKey, hold: .open(identity))]
    try folder.make()
  }

  // MARK: apps

  /// A paired app.
  public func pair(
    _ name: String, _ grant: Grant = Grant(trust: .medium), with identity: PublicKey? = nil, relays: [RelayURL] = [Phone.relay]
  ) throws -> RemoteSigner {
    let (client, signer) = (try KeyPair.random(), try KeyPair.random())
    let pairing = Pairing(
      remoteSigner: signer.publicKey, client: client.publicKey, identity: identity ?? self.identity.publicKey,
      pairedAt: Self.start - 100,
      name: name, grant: grant, relays: relays)
    state.pairings.append(.init(pairing, signer: signer))
    return RemoteSigner(link: BunkerURI(remoteSigner: signer.publicKey, relays: relays, secret: nil), client: client)
  }

  /// An open link.
  public func link(trust: TrustLevel = .medium) throws -> BunkerURI {
    let signer = try KeyPair.random()
    let link = OpenLink(
      remoteSigner: signer.publicKey, secret: "open-Sesame_1", identity: identity.publicKey, trust: trust, relays: [Self.relay],
      madeAt: Self.start - 100, expiresAt: Self.start + 86_400)
    state.links.append(.init(link, signer: signer))
    return link.uri
  }

  // MARK: the app's side

  /// Hands the state over.
  public func handOver() throws { try folder.handOver(state, with: key, holding: try folder.lock(milliseconds: 0)) }

  /// Takes back what the extension noted.
  @discardableResult public func takeBack() throws -> TakenBack {
    var taken: TakenBack?
    try folder.takeBack(with: key, holding: try folder.lock(milliseconds: 0)) { taken = $0 }
    return taken!  // the closure was called, or the call threw
  }

  // MARK: the extension's side

  /// One wake, in a process that knows nothing of earlier ones.
  public func wake(_ payload: [UInt8], milliseconds: Int = NotificationService.longestWake) -> NotificationOutcome {
    NotificationService(folder, key: key, transport: relays, now: { [now] in now }).handle(
      payload: payload, milliseconds: milliseconds)
  }

  /// A push that tells of an event.
  public func push(_ event: Event, isEmbedded: Bool = true, relay: RelayURL = Phone.relay) -> [UInt8] {
    let event = isEmbedded ? #","event":\#(String(decoding: event.json(), as: UTF8.self))"# : #","event_id":"\#(event.id.hex)""#
    return Array(#"{"aps":{"mutable-content":1},"relay_url":"\#(relay.text)"\#(event)}"#.utf8)
  }

  /// What the app reads of the answers since the start, the latest last.
  public func answers(to app: inout RemoteSigner) -> [RemoteSigner.Reply] {
    relays.published.compactMap { app.receive($0.event, now: now) }
  }
}

/// An event as apps send it for signing.
public func template(kind: Int = 1, content: String = "hello", at time: Int64? = Phone.start - 5, tags: [[String]] = []) -> String
{
  let time: [JSONValue.Member] = time.map { [.init("created_at", .integer($0))] } ?? []
  let value = JSONValue.object(
    [
      .init("kind", .integer(Int64(kind))), .init("content", .string(content)),
      .init("tags", .array(tags.map { .array($0.map { .string($0) }) })),
    ] + time)
  return String(decoding: value.serialized(), as: UTF8.self)
}
