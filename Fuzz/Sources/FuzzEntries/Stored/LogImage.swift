import AuditLog
import Ciphers
import Encodings
import SecretMemory

/// The two files of an audit log, written here a second time from docs/FORMATS.md, so that bodies of the input's choosing stand behind
/// right seals, hashes and signatures.
struct LogImage {
  private static let sealing = [UInt8](repeating: 7, count: 32)
  private static let signing = [UInt8](repeating: 9, count: 32)
  private(set) var log: [UInt8]
  private let digest: [UInt8]
  private var leaves: [Bytes32] = []
  private var ends: [Int]
  private var state: [UInt8] = []
  private var step: UInt32 = 0

  /// The keys of every log made here.
  static func keys() -> (keys: AuditKeys, reading: SecretBox)? {
    var (first, second, third) = (sealing, sealing, signing)
    do {
      let secret = try SecretBytes(wiping: &first)
      let (reading, seed) = (SecretBox(try SecretBytes(wiping: &second)), SecretBox(try SecretBytes(wiping: &third)))
      return AuditKeys(sealing: secret, signing: seed) { reading }.map { ($0, reading) }
    } catch { return nil }
  }

  init() throws {
    let (publicKey, signer) = (try Self.sealingKey(), try Self.signingKey())
    let header =
      Array("HFAUDIT\0".utf8) + [0, 0, 0, 2, 0, 0, 0, 0] + [UInt8](repeating: 5, count: 16) + publicKey.array + signer.array
      + [UInt8](repeating: 0, count: 32)
    digest = SHA256.digest(of: header).array
    let layout = Self.big(UInt64(0)) + Self.big(UInt64(152))
    log = header + layout + SHA256.digest(of: digest + layout).array.prefix(8)
    ends = [log.count]
  }

  var count: Int { leaves.count }

  /// Adds a record whose plaintext is the time and whatever the input says the body is.
  mutating func append(time: Int64, body: [UInt8], isFirst: Bool) throws {
    var start = Self.big(UInt64(count + 1))
    if isFirst || state.isEmpty {
      (step, state) = (0, SHA256.digest(of: [UInt8](repeating: 3, count: 32) + digest).array)
      let sealed = try [UInt8](repeating: 3, count: 32).withUnsafeBytes { seed in
        try SealedBox.seal(seed, to: try Self.sealingKey())
      }
      let message = Array("holdfast log epoch\0".utf8) + digest + Self.big(UInt64(count)) + root(count).array + sealed
      start += Self.big(step) + sealed + (try Self.sign(message))
    } else {
      start += Self.big(step)
    }
    var plain = Self.big(time) + Self.big(UInt16(truncatingIfNeeded: body.count)) + body
    plain += [UInt8](repeating: 0, count: (64 - plain.count % 64) % 64)
    let key = SHA256.digest(of: state + [1]).array
    let sealed = try plain.withUnsafeBytes { plain in
      try key.withUnsafeBytes { key in
        try ChaChaPoly.seal(plain, key: key, nonce: [UInt8](repeating: 0, count: 12), associated: start, variant: .ietf)
      }
    }
    state = SHA256.digest(of: state + [2]).array
    step += 1
    let leaf = start + sealed
    let hash = SHA256.digest(of: [0] + leaf)
    let length = UInt32(8 + leaf.count + 36)
    log += Self.big(length) + Self.big(~length) + leaf + hash.array + Self.big(length)
    leaves.append(hash)
    ends.append(log.count)
  }

  /// The signed head that names the entry of that number.
  func head(at entry: Int) throws -> [UInt8] {
    let origin = "holdfast.local/log/" + Hex.encode(Array(digest.prefix(16)))
    let last = entry > 0 ? leaves[entry - 1] : Bytes32()
    let peaks = peaks(entry)
    let resume =
      Self.big(UInt64(ends[entry])) + last.array + Self.big(UInt64(entry)) + [UInt8(peaks.count)] + peaks.flatMap(\.array)
    let body = "\(origin)\n\(entry)\n\(Base64.string(root(entry).array))\nresume \(Base64.string(resume))\n"
    let key = try Self.signingKey().array
    let id = SHA256.digest(of: Array(origin.utf8) + [0x0a, 1] + key).array.prefix(4)
    return Array("\(body)\n\u{2014} \(origin) \(Base64.string(id + (try Self.sign(Array(body.utf8)))))\n".utf8)
  }

  private static func sealingKey() throws -> Bytes32 {
    try sealing.withUnsafeBytes { key in try SealedBox.publicKey(of: key) }
  }
  private static func signingKey() throws -> Bytes32 {
    try signing.withUnsafeBytes { seed in try Ed25519.publicKey(seed: seed) }
  }
  private static func sign(_ message: [UInt8]) throws -> [UInt8] {
    try signing.withUnsafeBytes { seed in try Ed25519.sign(message, seed: seed) }
  }

  /// RFC 6962, as it is written there.
  private func hash(_ leaves: ArraySlice<Bytes32>) -> Bytes32 {
    guard leaves.count > 1, let first = leaves.indices.first else { return leaves.first ?? SHA256.digest(of: []) }
    var half = 1
    while half * 2 < leaves.count { half *= 2 }
    return SHA256.digest(of: [1] + hash(leaves[..<(first + half)]).array + hash(leaves[(first + half)...]).array)
  }

  private func root(_ count: Int) -> Bytes32 { hash(leaves[..<count]) }

  private func peaks(_ count: Int) -> [Bytes32] {
    var (from, peaks) = (0, [Bytes32]())
    for bit in (0..<16).reversed() where count >> bit & 1 == 1 {
      peaks.append(hash(leaves[from..<from + (1 << bit)]))
      from += 1 << bit
    }
    return peaks
  }

  private static func big(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
