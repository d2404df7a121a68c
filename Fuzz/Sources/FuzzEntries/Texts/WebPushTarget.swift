import Ciphers
import WebPush

extension FuzzTarget {
  /// What a browser that subscribes gives, and what a passkey signs with.
  static let push = FuzzTarget("push") { (raw) throws(FuzzFault) in
    let bytes = Array(raw)
    if let endpoint = try? PushEndpoint(parsing: String(decoding: bytes, as: UTF8.self)) {
      try require(Array(endpoint.text.utf8) == bytes, "an endpoint is kept as it was given")
      try require(endpoint.text.lowercased().hasPrefix("https://" + endpoint.host), "the host is the one that is connected to")
      try require(endpoint.port != 0, "a port is one")
    }
    if let point = try? P256.PublicKey(bytes) { try require(point.bytes == bytes && bytes.first == 4, "a point is uncompressed") }
    if let signature = try? P256.Signature(der: bytes) {
      try require(signature.der == bytes, "one DER for one signature")
      try require((try? P256.Signature(raw: signature.raw)) == signature, "raw and DER are one")
    }
  }
}
