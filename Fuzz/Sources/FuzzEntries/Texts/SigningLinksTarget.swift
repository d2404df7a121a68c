import RemoteSigning
import SigningLinks

extension FuzzTarget {
  /// Links that ask for a signature, and their callbacks.
  static let signingLinks = FuzzTarget("signinglinks") { (bytes) throws(FuzzFault) in
    let text = String(decoding: bytes, as: UTF8.self)
    for whole in [text, "keyfob://sign?" + text, "nostrsigner:" + text, "keyfob://pubkey?cb=" + text] {
      if let link = try? SigningLink(whole, isApp: { _ in true }) { try check(link) }
    }
    let parts = text.split(separator: "&").map(String.init)
    for path in ["/app/sign", "/app/pubkey"] {
      if let link = try? SigningLink(endpoint: path, query: parts) { try check(link) }
    }
  }

  private static func check(_ link: SigningLink) throws(FuzzFault) {
    try check(link.callback)
    for answer in [Result<LinkAnswer, LinkFault>.success(.text(".b:8@c d&e\"")), .failure(LinkFault(.denied, "é\r\n"))] {
      guard let address = link.answered(answer) else { continue }
      try require(address.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "an answer is plain ASCII")
      guard address.utf8.count <= Callback.longest else { continue }
      let again = try unfailing("an answer goes to the callback's place") { () throws(LinkFault) in
        try Callback(address, isApp: { _ in true })
      }
      try require(again.place == link.callback.place, "an answer goes to the callback's place")
    }
  }

  private static func check(_ callback: Callback) throws(FuzzFault) {
    try require(CallingLink(user: 0, callback: callback.place) != nil, "a place can be a caller")
    if let origin = WebOrigin(callback.place) {
      try require(origin.isEncrypted || origin.isOnThisMachine, "no answer crosses the network in clear")
    }
    for scheme in ["javascript:", "data:", "file:", "vbscript:", "keyfob:"] {
      try require(!callback.text.lowercased().hasPrefix(scheme), "\(scheme) is refused")
    }
  }
}
