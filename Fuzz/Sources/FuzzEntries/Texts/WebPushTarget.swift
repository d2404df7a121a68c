import Ciphers
import WebPush

extension FuzzTarget {
  /// What a browser that subscribes gives, what a passkey signs with, and what a receiver of messages is sent.
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
    try message(bytes)
  }

  /// Anything as a message, and as the content of one.
  private static func message(_ bytes: [UInt8]) throws(FuzzFault) {
    let auth = [UInt8](repeating: 7, count: 16)
    do {
      let key = try P256.PrivateKey.random()
      let receiver = try PushReceiver(
        endpoint: PushEndpoint(parsing: "https://push.example/p"), key: key.publicKey.bytes, auth: auth)
      let isRead = (try? PushDecryption.decrypt(bytes, key: key, auth: auth)) != nil
      let sent = Array(bytes.prefix(PushEncryption.maximumLength))
      let back = try PushDecryption.decrypt(PushEncryption.encrypt(sent, for: receiver), key: key, auth: auth)
      guard !isRead, back == sent else { throw FuzzFault("only a message for the receiver is read, and it is read whole") }
    } catch let fault as FuzzFault { throw fault } catch { throw FuzzFault("a message is made and read: \(error)") }
  }
}
