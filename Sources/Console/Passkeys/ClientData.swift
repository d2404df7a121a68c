import Encodings
import JSON

/// What the browser confirms: the origin that asked, the purpose and the challenge (WebAuthn level 3, section 5.8.1).
struct ClientData {
  enum Purpose: String {
    case create = "webauthn.create"
    case get = "webauthn.get"
  }

  /// The longest text that is read, in bytes.
  static let longest = 4096

  /// The challenge it answers.
  let challenge: [UInt8]

  /// - Parameter bytes: the text that the browser made and the authenticator signed.
  init(_ bytes: [UInt8], for purpose: Purpose, at origin: ConsoleOrigin) throws(PasskeyError) {
    guard bytes.count <= Self.longest, let value = try? JSONValue(parsing: bytes),
      let challenge = value["challenge"]?.string.flatMap({ Base64URL.decode($0) })
    else { throw .clientDataMalformed }
    guard value["type"]?.string == purpose.rawValue else { throw .otherPurpose }
    // A page inside a stranger's frame is refused.
    guard value["origin"]?.string == origin.text, value["crossOrigin"] == nil || value["crossOrigin"] == false,
      value["topOrigin"] == nil
    else { throw .otherOrigin }
    self.challenge = challenge
  }
}
