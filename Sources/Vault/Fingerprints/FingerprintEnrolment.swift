import Encodings

/// The fingers enrolled on this machine for the owner's account, as the fingerprint service names them.
///
/// These are names only: which finger has a name is unknown. If the stored prints can be read, a digest of them is included.
public struct FingerprintEnrolment: Sendable, Equatable {
  /// One of ten, by the name that `net.reactivated.Fprint` gives it. The raw value is what is stored.
  public enum Finger: UInt8, Sendable, CaseIterable {
    case leftThumb = 1, leftIndexFinger, leftMiddleFinger, leftRingFinger, leftLittleFinger
    case rightThumb, rightIndexFinger, rightMiddleFinger, rightRingFinger, rightLittleFinger

    /// As the service writes it: `right-index-finger`.
    public var name: String {
      switch self {
      case .leftThumb: "left-thumb"
      case .leftIndexFinger: "left-index-finger"
      case .leftMiddleFinger: "left-middle-finger"
      case .leftRingFinger: "left-ring-finger"
      case .leftLittleFinger: "left-little-finger"
      case .rightThumb: "right-thumb"
      case .rightIndexFinger: "right-index-finger"
      case .rightMiddleFinger: "right-middle-finger"
      case .rightRingFinger: "right-ring-finger"
      case .rightLittleFinger: "right-little-finger"
      }
    }

    /// - Returns: nil for what is no finger's name.
    public init?(name: String) {
      guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = found
    }
  }

  /// A reader that was there, and the fingers it knows.
  public struct Reader: Sendable, Equatable {
    /// The longest name, in bytes.
    public static let maximumName = 256
    /// What the reader calls itself; two alike have the same.
    public let name: String
    /// In rising order, none twice.
    public let fingers: [Finger]

    /// - Returns: nil when the name is too long.
    public init?(name: String, fingers: [Finger]) {
      guard name.utf8.count <= Self.maximumName else { return nil }
      self.name = name
      self.fingers = Set(fingers).sorted { $0.rawValue < $1.rawValue }
    }
  }

  /// The most readers that are distinguished.
  public static let maximumReaders = 16
  /// In the order of their names, then of their fingers.
  public let readers: [Reader]
  /// A digest of the stored prints, 32 bytes; nil where they cannot be read.
  public let prints: [UInt8]?

  /// - Returns: nil for more readers than are distinguished, or a digest of another length.
  public init?(readers: [Reader], prints: [UInt8]? = nil) {
    guard readers.count <= Self.maximumReaders, prints.map({ $0.count == 32 }) ?? true else { return nil }
    self.readers = readers.sorted { Self.key($0).lexicographicallyPrecedes(Self.key($1)) }
    self.prints = prints
  }

  private static func key(_ reader: Reader) -> [UInt8] { Array(reader.name.utf8) + [0] + reader.fingers.map(\.rawValue) }

  /// All fingers of all readers, each once.
  public var fingers: Set<Finger> { Set(readers.flatMap(\.fingers)) }

  // MARK: comparing

  /// How a later set differs. A reader that is missing now is ignored. A reader that was missing before counts with its fingers.
  func difference(from later: FingerprintEnrolment) -> Difference? {
    var found = Difference()
    for name in Set(later.readers.map(\.name)) {
      let (before, now) = unmatched(name, later)
      guard !now.isEmpty else { continue }  // of two that are alike one is unplugged
      let (was, isNow) = (Set(before.flatMap(\.fingers)), Set(now.flatMap(\.fingers)))
      guard !before.isEmpty || !isNow.isEmpty else { continue }  // a new reader that knows nobody
      found.added.formUnion(isNow.subtracting(was))
      found.removed.formUnion(was.subtracting(isNow))
      if was == isNow { found.isMoved = true }
    }
    if let prints, let now = later.prints, prints != now { found.arePrintsOthers = true }
    return found == Difference() ? nil : found
  }

  /// What is known after a later look: readers that are not there now keep what was known of them.
  func updated(by later: FingerprintEnrolment) -> FingerprintEnrolment {
    var all = later.readers
    for name in Set(readers.map(\.name)) {
      let (before, now) = unmatched(name, later)
      if now.isEmpty { all += before }
    }
    return FingerprintEnrolment(readers: Array(all.prefix(Self.maximumReaders)), prints: later.prints ?? prints) ?? later
  }

  /// The readers of one name, here and there, without those that are as they were.
  private func unmatched(_ name: String, _ later: FingerprintEnrolment) -> (before: [Reader], now: [Reader]) {
    var now = later.readers.filter { $0.name == name }
    let before = readers.filter { reader in
      guard reader.name == name else { return false }
      guard let index = now.firstIndex(of: reader) else { return true }
      now.remove(at: index)
      return false
    }
    return (before, now)
  }

  struct Difference: Equatable {
    var added: Set<Finger> = []
    var removed: Set<Finger> = []
    /// The same fingers, on another of two readers that are alike.
    var isMoved = false
    /// Other prints under the same names, or prints that were written again.
    var arePrintsOthers = false
  }
}

// How a set is written, for docs/FORMATS.md: whether prints follow (1) · digest of the prints (32, if so) · readers (1) · each: length
// (2) and name, fingers (1), each 1 to 10 (1).

extension FingerprintEnrolment {
  var bytes: [UInt8] {
    var bytes: [UInt8] = [prints == nil ? 0 : 1]
    bytes += prints ?? []
    bytes.append(UInt8(readers.count))  // at most 16
    for reader in readers {
      bytes.append(bigEndian: UInt16(reader.name.utf8.count))  // at most 256
      bytes += Array(reader.name.utf8)
      bytes.append(UInt8(reader.fingers.count))  // at most 10
      bytes += reader.fingers.map(\.rawValue)
    }
    return bytes
  }

  /// - Returns: nil for what is none.
  init?(from reader: inout ByteReader) {
    guard let hasPrints = reader.byte(), hasPrints <= 1 else { return nil }
    var prints: [UInt8]?
    if hasPrints == 1 {
      guard let digest = reader.take(32) else { return nil }
      prints = Array(digest)
    }
    guard let count = reader.byte(), Int(count) <= Self.maximumReaders else { return nil }
    var readers: [Reader] = []
    for _ in 0..<count {
      guard let length: UInt16 = reader.integer(), let name = reader.take(Int(length)), let number = reader.byte(),
        let codes = reader.take(Int(number))
      else { return nil }
      let fingers = codes.compactMap(Finger.init(rawValue:))
      guard fingers.count == codes.count, let one = Reader(name: String(decoding: name, as: UTF8.self), fingers: fingers) else {
        return nil
      }
      readers.append(one)
    }
    self.init(readers: readers, prints: prints)
  }
}
