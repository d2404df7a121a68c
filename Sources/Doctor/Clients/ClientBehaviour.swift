import RemoteSigning

/// How one library sends requests, and which answers it accepts. Taken from the libraries' sources; the interop tests hold fuller
/// copies.
struct ClientBehaviour: Sendable {
  /// Which answer to pairing it accepts.
  enum Acceptance: Sendable {
    case ackOnly, secretOnly, ackOrSecret, anything

    func takes(_ result: String, secret: String) -> Bool {
      switch self {
      case .ackOnly: result == "ack"
      case .secretOnly: result == secret
      case .ackOrSecret: result == "ack" || result == secret
      case .anything: !result.isEmpty
      }
    }
  }

  /// The name under which its users know it.
  let name: String
  /// The parameters of connect.
  let connect: @Sendable (_ signer: String, _ secret: String) -> [String]
  let byLink: Acceptance
  /// For `nostrconnect://`. Nil if the library cannot pair so, or is tried by the other way only.
  let byOwnLink: Acceptance?
  var cipher = EnvelopeCipher.nip44
  /// Asks for other relays after pairing, and reads the answer as JSON.
  var switches = true
  /// Sends connect again each time the app starts.
  var reconnects = false
  var logsOut = true

  static let all: [ClientBehaviour] = [
    ClientBehaviour(
      name: "nostr-tools", connect: { [$0, $1, "", #"{"name":"doctor"}"#] }, byLink: .anything, byOwnLink: .secretOnly),
    // The first parameter is the user's key, which the library does not know yet.
    ClientBehaviour(name: "NDK", connect: { _, secret in ["", secret] }, byLink: .ackOnly, byOwnLink: .secretOnly),
    ClientBehaviour(
      name: "nostr-login", connect: { [$0, $1, "sign_event:1,nip04_encrypt,nip04_decrypt"] }, byLink: .ackOnly,
      byOwnLink: .ackOrSecret, cipher: .nip04, switches: false, logsOut: false),
    ClientBehaviour(
      name: "rust-nostr", connect: { [$0, $1] }, byLink: .ackOnly, byOwnLink: .ackOrSecret, switches: false, logsOut: false),
    ClientBehaviour(
      name: "welshman (Coracle)", connect: { [$0, $1, ""] }, byLink: .anything, byOwnLink: .ackOrSecret, logsOut: false),
    ClientBehaviour(
      name: "applesauce (noStrudel)", connect: { [$0, $1, "sign_event:1"] }, byLink: .anything, byOwnLink: .ackOrSecret,
      reconnects: true),
    ClientBehaviour(name: "Amethyst", connect: { [$0, $1] }, byLink: .anything, byOwnLink: nil, switches: false, logsOut: false),
    ClientBehaviour(
      name: "go-nostr (nak)", connect: { [$0, $1] }, byLink: .ackOrSecret, byOwnLink: nil, switches: false, logsOut: false),
  ]
}
