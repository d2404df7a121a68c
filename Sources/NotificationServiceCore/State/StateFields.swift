import Curve
import Encodings
import RemoteSigning
import SecretMemory

/// The plaintext of a state, for docs/FORMATS.md: revision (8) · written at (8, signed) · the journal's id (32) · flags (1) · fields to the
/// end, each kind (1) · length (4) · as many bytes.
enum StateField: UInt8 {
  /// Public key (32) · hold (1) · secret key (32, zeros unless it is open) · name in UTF-8.
  case identity = 1
  /// Remote-signer key, secret (32) · record.
  case pairing, link, ended
  /// Record.
  case settings
  /// In ASCII.
  case ownersRelay
  /// Remote-signer key, public (32) · record.
  case usage
  /// Coordinate (32) · record.
  case signed
  /// Record.
  case waiting
  /// Id (32) · time (8, signed), any number of both.
  case seen
}

/// The flags of a state.
struct StateFlags: OptionSet {
  let rawValue: UInt8
  static let suspended = StateFlags(rawValue: 1)
  static let nip04 = StateFlags(rawValue: 2)
  static let all: StateFlags = [.suspended, .nip04]
}

/// Writes fields in secret memory: once to count the bytes, and once to fill them in.
struct StateWriter {
  /// Nil while bytes are counted.
  private let target: UnsafeMutableRawBufferPointer?
  private(set) var count = 0

  init(into target: UnsafeMutableRawBufferPointer? = nil) { self.target = target }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if let target { UnsafeMutableRawBufferPointer(rebasing: target[count..<(count + bytes.count)]).copyMemory(from: bytes) }
    count += bytes.count
  }

  mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  mutating func add(_ bytes: Bytes32) { bytes.withUnsafeBytes { add($0) } }

  mutating func add(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.bigEndian) { add($0) } }

  mutating func field(_ kind: StateField, _ parts: [[UInt8]]) {
    add(kind.rawValue)
    add(UInt32(clamping: parts.reduce(0) { $0 + $1.count }))
    for part in parts { add(part) }
  }

  /// A field that begins with a secret key.
  /// - Parameter before: what stands before the key.
  mutating func field(_ kind: StateField, before: [UInt8] = [], key: KeyPair?, _ rest: [UInt8]) throws(CurveError) {
    add(kind.rawValue)
    add(UInt32(clamping: before.count + 32 + rest.count))
    add(before)
    if let key { try key.secretKey().withBytes { add($0) } } else { add(Bytes32()) }
    add(rest)
  }
}
