import Ciphers
import Encodings
import SecretMemory

/// A tree head in the form of a C2SP checkpoint, a signed note: origin, size, root in base 64, perhaps lines of our own; an empty
/// line; a signature by the key of the same name.
struct Checkpoint: Equatable {
  let origin: String
  let size: UInt64
  let root: Bytes32
  /// Lines behind the root that others pass over. None is empty.
  var extensions: [String] = []

  private static let dash = "\u{2014} "

  /// What is signed: with its last line feed, without the empty line.
  var body: String {
    ([origin, String(size), Base64.string(root.array)] + extensions).map { $0 + "\n" }.joined()
  }

  /// The note, 250 bytes and its extensions.
  func signed(by signer: LogSigner) -> String? {
    guard let signature = signer.sign(Array(body.utf8)) else { return nil }
    return body + "\n" + Self.dash + origin + " "
      + Base64.string(Self.keyID(origin, signer.publicKey) + signature) + "\n"
  }

  /// - Returns: nil unless it is exactly as `signed` writes it, by the key.
  init?(_ note: [UInt8], origin: String, signedBy publicKey: Bytes32) {
    let lines = note.split(separator: 0x0a, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    // Body of three lines or more, an empty one, the signature, and nothing behind its line feed.
    guard lines.count >= 6, lines[0] == origin, let size = UInt64(lines[1]), String(size) == lines[1],
      let root = Base64.decode(lines[2]).flatMap({ Bytes32($0) })
    else { return nil }
    self.init(origin: origin, size: size, root: root, extensions: Array(lines[3..<lines.count - 3]))
    let start = Self.dash + origin + " "
    guard lines[lines.count - 3].isEmpty, lines[lines.count - 1].isEmpty, extensions.allSatisfy({ !$0.isEmpty }),
      lines[lines.count - 2].hasPrefix(start),
      let signature = Base64.decode(String(lines[lines.count - 2].dropFirst(start.count))),
      signature.prefix(4).elementsEqual(Self.keyID(origin, publicKey)),
      Ed25519.isValid(signature.dropFirst(4), of: Array(body.utf8), by: publicKey),
      (body + "\n" + lines[lines.count - 2] + "\n").utf8.elementsEqual(note)
    else { return nil }
  }

  init(origin: String, size: UInt64, root: Bytes32, extensions: [String] = []) {
    (self.origin, self.size, self.root, self.extensions) = (origin, size, root, extensions)
  }

  /// `<name>+<8 hex digits>+<base 64>`: what a verifier of signed notes takes.
  static func verifierKey(_ origin: String, _ publicKey: Bytes32) -> String {
    "\(origin)+\(Hex.encode(keyID(origin, publicKey)))+\(Base64.string([ed25519] + publicKey.array))"
  }

  private static let ed25519: UInt8 = 1

  private static func keyID(_ name: String, _ publicKey: Bytes32) -> [UInt8] {
    Array(SHA256.digest(of: Array(name.utf8) + [0x0a, ed25519] + publicKey.array).array.prefix(4))
  }
}

/// The log's signing key.
struct LogSigner: Sendable {
  let publicKey: Bytes32
  private let seed: SecretBox

  /// - Parameter seed: 32 bytes.
  init?(seed: SecretBox) {
    guard let publicKey = try? seed.withBytes({ try Ed25519.publicKey(seed: $0) }) else { return nil }
    (self.seed, self.publicKey) = (seed, publicKey)
  }

  /// A key for another use. It can be made only from this one.
  func derived(_ use: StaticString) -> Bytes32 {
    let use = UnsafeRawBufferPointer(start: use.utf8Start, count: use.utf8CodeUnitCount)
    return seed.withBytes { HMACSHA256.code(key: $0, use) }
  }

  func sign(_ message: [UInt8]) -> [UInt8]? { try? seed.withBytes { try Ed25519.sign(message, seed: $0) } }
}
