import Curve
import JSON
import Nostr
import Platform
import Relays
import RemoteSigning
import Sockets

/// Why a simulated app would fail.
enum SimulatedAppError: Error {
  /// The step, and what came instead of an acceptable answer.
  case step(String, String)
}

/// A simulated app. It sends requests as its library does, and accepts only the answers that the library accepts.
struct SimulatedApp {
  /// How long each answer may take, in milliseconds.
  private static let patience = 8_000

  let behaviour: ClientBehaviour
  let connection: RelayClient
  let key: KeyPair
  var signer: PublicKey?
  private var number = 0

  init(_ behaviour: ClientBehaviour, _ loop: EventLoop, _ relay: WebSocketURL) throws(SimulatedAppError) {
    guard let key = try? KeyPair.random() else { throw .step("making a key", "there is not enough memory") }
    (self.behaviour, self.key, connection) = (behaviour, key, RelayClient())
    if let reason = connection.open(loop, relay, milliseconds: Self.patience, reachesInside: true) {
      throw .step("reaching the relay", "\(reason)")
    }
    let filter = Filter(kinds: [EventKind.remoteSigning], limit: 0, tags: ["p": [key.publicKey.hex]])
    if let refusal = connection.subscribe("app", filter, milliseconds: Self.patience) {
      throw .step("listening at the relay", RelayClient.shown(refusal))
    }
  }

  // MARK: pairing

  mutating func pair(by link: BunkerURI) throws(SimulatedAppError) {
    signer = link.remoteSigner
    try connect(link.secret ?? "")
  }

  mutating func connect(_ secret: String) throws(SimulatedAppError) {
    guard let signer else { throw .step("pairing", "no signer is known") }
    let result = try ask("connect", behaviour.connect(signer.hex, secret))
    try accept(result, secret, behaviour.byLink, "pairing")
  }

  /// Waits for the signer's answer to the app's own link. Libraries take the first answer, and give up if it is a wrong one.
  mutating func awaitAnswer(to secret: String, _ acceptance: ClientBehaviour.Acceptance) throws(SimulatedAppError) {
    let key = key
    let first: (PublicKey, JSONValue)? = connection.wait(milliseconds: Self.patience) { message in
      guard case .event(_, let event) = message, let text = Self.open(event, key) else { return nil }
      return (event.pubkey, text)
    }
    guard let (author, answer) = first else { throw .step("pairing by the app's link", "nothing came") }
    signer = author
    try accept(answer["result"]?.string ?? "", secret, acceptance, "pairing by the app's link")
  }

  private func accept(
    _ result: String, _ secret: String, _ acceptance: ClientBehaviour.Acceptance, _ step: String
  ) throws(SimulatedAppError) {
    if !acceptance.takes(result, secret: secret) { throw .step(step, "an answer that the app does not accept") }
  }

  // MARK: asking

  /// Sends one request and returns its result.
  mutating func ask(_ method: String, _ parameters: [String] = []) throws(SimulatedAppError) -> String {
    let answer = try call(method, parameters)
    if let error = answer["error"]?.string, !error.isEmpty { throw .step(method, "“\(RelayClient.shown(error))”") }
    // Most libraries do not take an empty string for an answer: the app goes on waiting.
    guard let result = answer["result"]?.string, !result.isEmpty else {
      throw .step(method, "an empty answer, so the app would hang")
    }
    return result
  }

  /// Sends a request that must fail, and checks that the app gets an error.
  mutating func askInVain(_ method: String) throws(SimulatedAppError) {
    let answer = try call(method, [])
    guard let error = answer["error"]?.string, !error.isEmpty else { throw .step(method, "no error text, so the app would hang") }
  }

  private mutating func call(_ method: String, _ parameters: [String]) throws(SimulatedAppError) -> JSONValue {
    guard let signer else { throw .step(method, "no signer is known") }
    number += 1
    let id = "doctor-\(number)"
    let text = JSONValue.object([
      .init("id", .string(id)), .init("method", .string(method)), .init("params", .array(parameters.map { .string($0) })),
    ]).serialized()
    guard let event = sealed(text, to: signer) else { throw .step(method, "the request could not be sealed") }
    if let answer = connection.publish(event, milliseconds: Self.patience), !answer.isTaken {
      throw .step(method, "the relay refused it: \(RelayClient.shown(answer.text))")
    }
    let key = key
    let found: JSONValue? = connection.wait(milliseconds: Self.patience) { message in
      guard case .event(_, let event) = message, event.pubkey == signer, let answer = Self.open(event, key),
        answer["id"]?.string == id
      else { return Optional.none }  // `nil` alone would be JSON's null
      return answer
    }
    guard let found else { throw .step(method, "no answer within \(Self.patience / 1000) s") }
    return found
  }

  // MARK: envelopes

  private func sealed(_ text: [UInt8], to signer: PublicKey) -> Event? {
    let content: [UInt8]?
    switch behaviour.cipher {
    case .nip44: content = (try? ConversationKey(key, signer)).flatMap { try? NIP44.encrypt(text, with: $0) }
    case .nip04: content = try? Insecure.NIP04.encrypt(text, key: key, peer: signer)
    }
    guard let content else { return nil }
    return try? UnsignedEvent(
      pubkey: key.publicKey, createdAt: Clock.seconds, kind: EventKind.remoteSigning, tags: [["p", signer.hex]],
      content: String(decoding: content, as: UTF8.self)
    ).signed(by: key)
  }

  /// The text of an answer, checked as libraries check it: it must be signed, and this app must be able to decrypt it.
  private static func open(_ event: Event, _ key: KeyPair) -> JSONValue? {
    guard event.hasCorrectID, event.hasValidSignature else { return nil }
    let content = Array(event.content.utf8)
    let text =
      Insecure.NIP04.isPayload(content)
      ? try? Insecure.NIP04.decrypt(content, key: key, peer: event.pubkey)
      : (try? ConversationKey(key, event.pubkey)).flatMap { try? NIP44.decrypt(content, with: $0) }
    return text.flatMap { try? JSONValue(parsing: $0) }
  }
}
