import Desktop
import JSON
import RemoteSigning

/// What programs see of the signer on the session bus.
enum BusContract {
  static let name = "org.holdfast.Signer1"
  static let path = "/org/holdfast/Signer1"
  /// The properties.
  static let (locked, version) = ("Locked", "Version")

  static let interface = BusInterface(
    name,
    methods: [
      .init("GetPublicKey", takes: [("identity", "s")], gives: [("pubkey", "s")]),
      .init("SignEvent", takes: [("event", "s"), ("identity", "s")], gives: [("signed", "s")]),
      .init("Nip04Encrypt", takes: encryption("plaintext"), gives: [("ciphertext", "s")]),
      .init("Nip04Decrypt", takes: encryption("ciphertext"), gives: [("plaintext", "s")]),
      .init("Nip44Encrypt", takes: encryption("plaintext"), gives: [("payload", "s")]),
      .init("Nip44Decrypt", takes: encryption("payload"), gives: [("plaintext", "s")]),
      .init("ListIdentities", gives: [("identities", identities)]),
    ],
    properties: [(locked, "b"), (version, "s")])

  /// Name, public key in hex digits, npub.
  private static let identity = "(sss)"
  private static let identities = "a" + identity

  private static func encryption(_ text: String) -> [BusInterface.Argument] {
    [("pubkey", "s"), (text, "s"), ("identity", "s")]
  }

  static func answer(_ outcome: AppOutcome) -> BusAnswer {
    switch outcome {
    case .success(let result):
      if let text = result.string { return .success([.text(text)]) }
      guard let list = result.array else { return .success([.text(String(decoding: result.serialized(), as: UTF8.self))]) }
      let rows = list.map { one in
        BusValue.structure(["name", "pubkey", "npub"].map { .text(one[$0]?.string ?? "") })
      }
      return .success([.array(of: identity, rows)])
    case .failure(let fault): return .failure(BusFault(errorName(fault.code), fault.message))
    }
  }

  /// `rate-limited` is `org.holdfast.Signer1.Error.RateLimited`.
  static func errorName(_ code: AnswerCode) -> String {
    name + ".Error." + code.rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension AppRequest {
  /// A call on the session bus: the last text is the identity, empty for the default one.
  package init(member: String, texts: [String]) throws(AppFault) {
    let identity = texts.last.flatMap { $0.isEmpty ? nil : $0 }
    guard texts.reduce(0, { $0 + $1.utf8.count }) <= AppSocket.lineBytes else { throw .tooLarge }
    switch (member, texts.count) {
    case ("GetPublicKey", 1): self.init(.getPublicKey, identity: identity)
    case ("ListIdentities", 0): self.init(.listIdentities, identity: nil)
    case ("SignEvent", 2): try self.init(signing: Array(texts[0].utf8), identity: identity)
    case ("Nip04Encrypt", 3): self.init(.nip04Encrypt, texts, identity: identity)
    case ("Nip04Decrypt", 3): self.init(.nip04Decrypt, texts, identity: identity)
    case ("Nip44Encrypt", 3): self.init(.nip44Encrypt, texts, identity: identity)
    case ("Nip44Decrypt", 3): self.init(.nip44Decrypt, texts, identity: identity)
    default: throw .noMethod
    }
  }

  private init(_ method: AppMethod, _ texts: [String] = [], identity: String?) {
    self.init(method, parameters: texts.dropLast().map { Array($0.utf8) }, identity: identity)
  }
}

extension AppFault {
  static let tooLarge = AppFault(.tooLarge, "A request is at most \(AppSocket.lineBytes >> 20) MiB long.")
  static let noMethod = AppFault(.unsupported, "The signer has no method of this name.")
}
