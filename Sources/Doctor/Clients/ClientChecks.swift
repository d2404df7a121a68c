import Curve
import Encodings
import JSON
import Nostr
import Platform
import Relays
import RemoteSigning
import Sockets

/// Pairs a simulated app of each known kind with a temporary signer, and runs a whole session.
struct ClientChecks {
  let loop: EventLoop
  let signer: TemporarySigner

  func check(_ behaviour: ClientBehaviour) -> Finding {
    do {
      try session(behaviour)
      if let acceptance = behaviour.byOwnLink { try ownLink(behaviour, acceptance) }
      let ways = behaviour.byOwnLink == nil ? "by link" : "both ways"
      return .good("client", "\(behaviour.name): pairs \(ways), signs, encrypts and gets errors.")
    } catch {
      return .bad(
        "client", "\(behaviour.name): \(error.step) fails: \(error.what).",
        advice: "Apps made with this library may not work with this signer or over this relay. Please report it.")
    }
  }

  private func session(_ behaviour: ClientBehaviour) throws(SimulatedAppError) {
    guard let link = signer.link() else { throw .step("making a link", "the trial signer made none") }
    var app = try SimulatedApp(behaviour, loop, signer.relay)
    defer { app.connection.close() }
    try app.pair(by: link)
    if behaviour.reconnects { try app.connect(link.secret ?? "") }
    if behaviour.switches { try switchRelays(&app) }
    guard try app.ask("get_public_key") == signer.identity.hex else { throw .step("get_public_key", "another key") }
    try sign(&app)
    try cipher(&app, behaviour.cipher == .nip04 ? "nip04" : "nip44")
    try app.askInVain("no_such_method")
    if behaviour.logsOut, try app.ask("logout") != "ack" { throw .step("logout", "another answer than “ack”") }
  }

  private func ownLink(_ behaviour: ClientBehaviour, _ acceptance: ClientBehaviour.Acceptance) throws(SimulatedAppError) {
    var app = try SimulatedApp(behaviour, loop, signer.relay)
    defer { app.connection.close() }
    let secret = Bytes32.fresh().hex.prefix(16)
    let uri = "nostrconnect://\(app.key.publicKey.hex)?relay=\(Self.escaped(signer.relay.text))&secret=\(secret)&name=doctor"
    guard signer.accept(uri) else { throw .step("pairing by the app's link", "the trial signer did not accept the link") }
    try app.awaitAnswer(to: String(secret), acceptance)
    guard try app.ask("get_public_key") == signer.identity.hex else { throw .step("get_public_key", "another key") }
  }

  /// The answer is a string that holds JSON: null, or a list of relays. Two libraries hang on a null that is not a string.
  private func switchRelays(_ app: inout SimulatedApp) throws(SimulatedAppError) {
    let text = try app.ask("switch_relays")
    guard let list = try? JSONValue(parsing: Array(text.utf8)), list.isNull || list.array != nil else {
      throw .step("switch_relays", "no JSON")
    }
  }

  private func sign(_ app: inout SimulatedApp) throws(SimulatedAppError) {
    let template = #"{"kind":1,"content":"doctor","tags":[],"created_at":\#(Clock.seconds),"pubkey":"\#(signer.identity.hex)"}"#
    let text = try app.ask("sign_event", [template])
    guard let event = try? Event(parsing: Array(text.utf8)), event.hasCorrectID, event.hasValidSignature,
      event.pubkey == signer.identity, event.content == "doctor"
    else { throw .step("sign_event", "an event that does not verify") }
  }

  private func cipher(_ app: inout SimulatedApp, _ family: String) throws(SimulatedAppError) {
    // The app is the other party, because the signer asks the owner before it decrypts what a user encrypted to himself.
    let peer = app.key.publicKey.hex
    let sealed = try app.ask("\(family)_encrypt", [peer, "between us"])
    guard try app.ask("\(family)_decrypt", [peer, sealed]) == "between us" else {
      throw .step("\(family)_decrypt", "another text")
    }
  }

  /// Percent-encodes everything except letters and digits.
  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { result, byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      result += isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
}

extension SimulatedAppError {
  fileprivate var step: String { if case .step(let step, _) = self { step } else { "" } }
  fileprivate var what: String { if case .step(_, let what) = self { what } else { "" } }
}
