public import Curve
public import Encodings
import JSON
public import Nostr

/// The app's side of NIP-46, without I/O: makes request events for a remote signer and reads its answers.
///
/// Publish the events of `request` and the similar methods on `relays`, and pass every kind 24133 event from there to `receive`.
/// One value serves one session. Keep the client key pair for the length of the session, and delete it after `logout`.
public struct RemoteSigner {
  /// The most requests that may be under way; more are refused.
  public static let maximumPending = 256
  /// How far an answer's time may be from ours, in seconds.
  public static let freshness: Int64 = 600

  /// This app's own, disposable key.
  public let client: KeyPair
  /// The key the signer answers with. For a `nostrconnect://` pairing known once it answered.
  public private(set) var remoteSigner: PublicKey?
  /// Where both sides meet.
  public private(set) var relays: [RelayURL]
  private var expectedSecret: String?
  private var pending: [String: Method] = [:]
  private var seen: Set<Bytes32> = []

  /// For a `bunker://` link that the user pasted. Send `connectRequest` next.
  public init(link: BunkerURI, client: KeyPair) {
    (self.client, remoteSigner, relays, expectedSecret) = (client, link.remoteSigner, link.relays, nil)
  }

  /// For a `nostrconnect://` link that this app shows. Wait for `.paired`.
  public init(showing uri: NostrConnectURI, client: KeyPair) {
    (self.client, remoteSigner, relays, expectedSecret) = (client, nil, uri.relays, uri.secret)
  }

  /// The meaning of an event from the relay.
  public enum Reply: Equatable, Sendable {
    /// A `nostrconnect://` pairing is made; the signer's key is known now.
    case paired
    /// The result of the request with that id.
    case result(id: String, String)
    /// The signer refused the request with that id.
    case refused(id: String, String)
    /// The signer wants the user to open an address. A second reply with the same id may follow.
    case authorize(id: String, url: String)
  }

  /// The connect request of a `bunker://` pairing.
  public mutating func connectRequest(
    _ link: BunkerURI, permissions: [Permission] = [], id: Bytes32 = .fresh(), now: Int64
  ) throws(RemoteSignerError) -> (id: String, event: Event) {
    try request(
      .connect, [link.remoteSigner.hex, link.secret ?? "", permissions.map(\.description).joined(separator: ",")], id: id,
      now: now)
  }

  /// A request as a signed event to publish.
  /// - Parameters:
  ///   - parameters: in the order NIP-46 lists them, each a string.
  ///   - id: 32 random bytes, of which the request id is made.
  public mutating func request(
    _ method: Method, _ parameters: [String] = [], id: Bytes32 = .fresh(), now: Int64
  ) throws(RemoteSignerError) -> (id: String, event: Event) {
    guard let remoteSigner else { throw .notPaired }
    guard pending.count < Self.maximumPending else { throw .tooManyPending(limit: Self.maximumPending) }
    let name = String(id.hex.prefix(32))
    let plaintext = JSONValue.object([
      .init("id", .string(name)), .init("method", .string(method.rawValue)), .init("params", .texts(parameters)),
    ]).serialized()
    do {
      let conversation = try ConversationKey(client, remoteSigner)
      let content = try plaintext.withUnsafeBytes { try NIP44.encrypt($0, with: conversation) }
      let event = try UnsignedEvent(
        pubkey: client.publicKey, createdAt: now, kind: NIP46.kind, tags: [["p", remoteSigner.hex]],
        content: String(decoding: content, as: UTF8.self)
      ).signed(by: client)
      pending[name] = method
      return (name, event)
    } catch { throw .cannotEncrypt }
  }

  /// Reads an event from the relay.
  /// - Returns: nil for anything that is not an answer to this session: another author, recipient, id or secret, a bad signature,
  ///   something seen before.
  public mutating func receive(_ event: Event, now: Int64) -> Reply? {
    guard event.kind == NIP46.kind, SigningEngine.recipient(of: event) == client.publicKey else { return nil }
    if let remoteSigner, event.pubkey != remoteSigner { return nil }
    let (difference, overflow) = now.subtractingReportingOverflow(event.createdAt)
    guard !overflow, difference.magnitude <= UInt64(Self.freshness) else { return nil }
    guard event.hasCorrectID, event.hasValidSignature, seen.insert(event.id).inserted else { return nil }
    if seen.count > Self.maximumPending * 4 { seen = [event.id] }
    guard let conversation = try? ConversationKey(client, event.pubkey),
      let plaintext = try? NIP44.decrypt(Array(event.content.utf8), with: conversation, limit: NIP46.maximumPlaintext),
      let response = try? JSONValue(parsing: plaintext)
    else { return nil }
    return remoteSigner == nil ? pair(response, with: event.pubkey) : answer(response)
  }

  private mutating func pair(_ response: JSONValue, with signer: PublicKey) -> Reply? {
    guard let expectedSecret, response["result"]?.string == expectedSecret else { return nil }
    remoteSigner = signer
    self.expectedSecret = nil
    return .paired
  }

  private mutating func answer(_ response: JSONValue) -> Reply? {
    guard let id = response["id"]?.string, let method = pending[id] else { return nil }
    let result = response["result"]?.string
    if result == "auth_url", let url = response["error"]?.string { return .authorize(id: id, url: url) }
    pending[id] = nil
    if let error = response["error"]?.string, !error.isEmpty { return .refused(id: id, error) }
    if method == .switchRelays { adopt(result) }
    return .result(id: id, result ?? "")
  }

  private mutating func adopt(_ result: String?) {
    guard let list = result.flatMap({ try? JSONValue(parsing: Array($0.utf8)) })?.array else { return }
    let relays = list.prefix(BunkerURI.maximumRelays).compactMap { $0.string.flatMap { RelayURL($0) } }
    if !relays.isEmpty { self.relays = relays }
  }
}

/// Why a request to a remote signer could not be made.
public enum RemoteSignerError: Error, Equatable, Sendable {
  /// A `nostrconnect://` link was shown and nobody has answered yet.
  case notPaired
  case tooManyPending(limit: Int)
  /// The signer's key is no point of the curve, or memory is out.
  case cannotEncrypt
}
