import Curve
import RemoteSigning

/// What a link of NIP-55's web form asks for: `nostrsigner:<payload>?type=sign_event&callbackUrl=…&returnType=event`.
enum NostrSignerLink {
  static func request(_ link: LinkText) throws(LinkFault) -> LinkRequest {
    if let compression = try link.value("compressionType"), !["none", "gzip"].contains(compression) { throw .compression }
    guard let payload = PercentCoding.decoded(link.path) else { throw .notText("payload") }
    guard payload.utf8.count <= SigningLink.longestPayload else { throw .payloadTooLarge }
    switch try link.value("type") {
    case "get_public_key": return .publicKey
    case "sign_event": return try .sign(json: Array(payload.utf8))
    case "nip04_encrypt": return .encrypt(payload, to: try peer(link), .nip04)
    case "nip44_encrypt": return .encrypt(payload, to: try peer(link), .nip44)
    case "nip04_decrypt": return .decrypt(payload, from: try peer(link), .nip04)
    case "nip44_decrypt": return .decrypt(payload, from: try peer(link), .nip44)
    default: throw .unknownType
    }
  }

  /// The member is called `pubkey`; earlier clients say `pubKey`.
  private static func peer(_ link: LinkText) throws(LinkFault) -> PublicKey {
    for name in ["pubkey", "pubKey"] {
      if let text = try link.value(name), let key = PublicKey(hex: text) { return key }
    }
    throw .noPeer
  }
}
