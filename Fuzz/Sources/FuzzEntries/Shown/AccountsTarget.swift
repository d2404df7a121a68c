import Curve
import Encodings
import Nostr
import RemoteSigning
import RequestPreview

extension FuzzTarget {
  /// The readable account of a waiting request: the first byte chooses the method, the rest is its last parameter. Whatever it is,
  /// the account is bounded, shows nothing hidden, and its raw text means what was asked.
  static let accounts = FuzzTarget("accounts") { (bytes) throws(FuzzFault) in
    guard let first = bytes.first else { return }
    let methods: [Method] = [.signEvent, .nip44Encrypt, .nip44Decrypt, .nip04Encrypt]
    let method = methods[Int(first & 3)]
    let text = Array(String(decoding: bytes.dropFirst(), as: UTF8.self).utf8)
    let key = Keys.alice.publicKey
    let parameters = method == .signEvent ? [text] : [Array(key.hex.utf8), text]
    let template = try? EventTemplate(parsing: text)
    let request = PendingRequest(
      name: "abcdef12", remoteSigner: key, client: key, identity: key, method: method, parameters: parameters,
      kind: method == .signEvent ? template?.kind : nil, rule: .lowTrust, eventID: key.bytes, receivedAt: 1_750_000_000,
      replies: [])
    let account = RequestDescription.ofAny(request, before: first & 4 == 0 ? nil : template)
    try require(!account.title.isEmpty, "an account has a title")
    let texts = account.parts.flatMap(\.texts)
    try require(
      account.parts.count < 200 && texts.reduce(0) { $0 + $1.utf8.count } < 256 << 10, "an account is short")
    for text in texts { try requireQuiet(text, "a part") }
    try requireQuiet(account.summary, "the summary")
    guard let template, method == .signEvent, !account.raw.isCut else { return }
    let raw = try unfailing("the raw text is read") { () throws(EventError) in
      try EventTemplate(parsing: Array(account.raw.text.utf8))
    }
    try require(raw.kind == template.kind && raw.content == template.content && raw.tags == template.tags, "and means the same")
  }

  private static func requireQuiet(_ text: String, _ place: String) throws(FuzzFault) {
    try require(text.unicodeScalars.allSatisfy(isQuiet), "\(place) hides nothing")
  }

  // Line breaks, and the joiners of emoji and of some scripts, are part of texts.
  private static func isQuiet(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\n" || scalar.value == 0x200C || scalar.value == 0x200D { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
    default: return true
    }
  }
}
