public import Curve
import Encodings
package import JSON
public import Nostr
import Platform

/// Asks the signer on this machine for signatures and decryptions, so that a program holds no key.
///
/// The owner is asked when the program comes for the first time. A call waits for its answer, which may take as long as the owner does.
/// Calls from several threads run one after the other.
///
///     let signer = try HoldfastClient()
///     let event = try signer.sign(EventTemplate(kind: 1, content: "Hello"))
public final class HoldfastClient: Sendable {
  private let connection: Locked<AppSocketConnection>

  /// Connects to `app.sock` in the vault's folder.
  /// - Parameters:
  ///   - home: the vault's folder; nil for that of `$HOLDFAST_HOME`, else of `$XDG_DATA_HOME`, else `~/.local/share/holdfast`.
  ///   - seconds: how long a call waits for its answer; nil to wait for the owner.
  /// - Throws: `.notRunning` when no signer listens there, `.notOurs` when another user does.
  public init(home: String? = nil, seconds: Int? = nil) throws(HoldfastClientError) {
    let home = home ?? FilePath.usualHome { name in getenv(name).map { String(cString: $0) } }
    connection = Locked(try AppSocketConnection(home: home, seconds: seconds))
  }

  /// The public key of an identity.
  /// - Parameter identity: a name or key of one of the owner's identities; nil for the default one. The same in all calls.
  public func publicKey(of identity: String? = nil) throws(HoldfastClientError) -> PublicKey {
    guard let key = PublicKey(hex: try text(.init("getPublicKey", identity))) else { throw .unreadable }
    return key
  }

  /// An event, signed.
  /// - Parameter template: without a time, the time of signing is taken.
  /// - Throws: `.unreadable` also if what came back is not what was to be signed, or its signature does not hold.
  public func sign(_ template: EventTemplate, as identity: String? = nil) throws(HoldfastClientError) -> Event {
    let answer = try connection.withLock { connection throws(HoldfastClientError) in
      try connection.ask(.init("sign", identity, [.init("event", template.json)]))
    }
    guard let event = try? Event(parsing: answer.serialized()), event.hasCorrectID, event.hasValidSignature,
      template.isSigned(by: event)
    else { throw .unreadable }
    return event
  }

  /// A text encrypted to somebody by NIP-44.
  /// - Parameter text: 1 to 65,535 bytes of UTF-8 can be read by every app.
  public func encrypt(_ text: String, to peer: PublicKey, as identity: String? = nil) throws(HoldfastClientError) -> String {
    try self.text(.init("nip44Encrypt", identity, [.init("pubkey", .string(peer.hex)), .init("plaintext", .string(text))]))
  }

  /// A text that somebody encrypted by NIP-44.
  public func decrypt(_ payload: String, from peer: PublicKey, as identity: String? = nil) throws(HoldfastClientError) -> String {
    try text(.init("nip44Decrypt", identity, [.init("pubkey", .string(peer.hex)), .init("ciphertext", .string(payload))]))
  }

  /// The identities that this program was let in for, each with the name that the owner gave it.
  public func identities() throws(HoldfastClientError) -> [(name: String, key: PublicKey)] {
    let answer = try connection.withLock { connection throws(HoldfastClientError) in
      try connection.ask(.init("listIdentities", nil))
    }
    guard let list = answer.array else { throw .unreadable }
    var identities: [(name: String, key: PublicKey)] = []
    for entry in list {
      guard let name = entry["name"]?.string, let key = (entry["pubkey"]?.string).flatMap({ PublicKey(hex: $0) }) else {
        throw .unreadable
      }
      identities.append((name, key))
    }
    return identities
  }

  /// Asks on behalf of a site or link. The signer believes only Holdfast's own program.
  /// - Parameters:
  ///   - parameters: an object, as the apps' socket has it.
  ///   - behalf: the member `for`.
  ///   - onSilence: called once, when a second has passed without an answer. It may not use this client.
  /// - Returns: the member `result`.
  package func result(
    of method: String, _ parameters: JSONValue, on behalf: JSONValue, onSilence: (@Sendable () -> Void)? = nil
  ) throws(HoldfastClientError) -> JSONValue {
    var request = AppSocketRequest(method, nil, parameters.members ?? [])
    request.behalf = behalf
    return try connection.withLock { [request] connection throws(HoldfastClientError) in
      connection.onSilence = onSilence
      return try connection.ask(request)
    }
  }

  private func text(_ request: AppSocketRequest) throws(HoldfastClientError) -> String {
    let answer = try connection.withLock { connection throws(HoldfastClientError) in try connection.ask(request) }
    guard let text = answer.string else { throw .unreadable }
    return text
  }
}

/// Why the signer did not do what was asked.
public enum HoldfastClientError: Error, Equatable, Sendable {
  /// No signer runs on this vault.
  case notRunning
  /// Another user listens on the socket.
  case notOurs
  /// The signer refused: a stable word of `docs/LOCAL-PROGRAMS.md`, such as `denied`, and a sentence for people.
  case refused(code: String, message: String)
  /// No answer came in time.
  case timedOut
  /// The signer has ended, or closed the connection.
  case closed
  /// The answer is not what was asked for.
  case unreadable
}

extension EventTemplate {
  fileprivate func isSigned(by event: Event) -> Bool {
    event.kind == kind && event.content == content && event.tags == tags && createdAt.map { $0 == event.createdAt } ?? true
      && pubkey.map { $0 == event.pubkey } ?? true
  }
}
