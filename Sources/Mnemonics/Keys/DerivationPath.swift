/// One step from a key to a child: a number below 2^31, hardened or not (BIP-32, "Extended keys").
public struct ChildIndex: Hashable, Sendable {
  /// The number of children of each kind; a hardened child's raw value begins here.
  public static let hardenedStart: UInt32 = 1 << 31

  /// As it is hashed and serialised.
  public let rawValue: UInt32

  /// Every 32-bit value is an index.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A child that can be derived from the public key too.
  /// - Returns: nil from 2^31 on.
  public init?(normal number: UInt32) {
    guard number < Self.hardenedStart else { return nil }
    rawValue = number
  }

  /// A child that can be derived from the private key only.
  /// - Returns: nil from 2^31 on.
  public init?(hardened number: UInt32) {
    guard number < Self.hardenedStart else { return nil }
    rawValue = number | Self.hardenedStart
  }

  /// Whether only the private key leads to the child.
  public var isHardened: Bool { rawValue >= Self.hardenedStart }
  /// Below 2^31.
  public var number: UInt32 { rawValue & ~Self.hardenedStart }
}

extension ChildIndex: CustomStringConvertible {
  /// For example `44'`.
  public var description: String { isHardened ? "\(number)'" : "\(number)" }
}

/// The steps from the master key to a key, as in `m/44'/1237'/0'/0/0`. Not secret.
public struct DerivationPath: Hashable, Sendable {
  /// The deepest a key can be, for its depth is one byte.
  public static let deepest = 255
  // 255 components of a slash, ten digits and a mark, after the m.
  private static let longestText = 1 + deepest * 12

  /// At most `deepest`.
  public let steps: [ChildIndex]

  /// - Throws: `.tooDeep`.
  public init(_ steps: [ChildIndex]) throws(ExtendedKeyError) {
    guard steps.count <= Self.deepest else { throw .tooDeep }
    self.steps = steps
  }

  /// - Parameter text: `m`, then components of a slash, a decimal number without leading zeros and, if hardened, one of `'`, `h`, `H`.
  /// - Throws: `.malformedPath`, `.tooDeep`.
  public init(parsing text: String) throws(ExtendedKeyError) {
    guard text.utf8.count <= Self.longestText else { throw .tooDeep }
    let components = text.utf8.split(separator: 0x2f, omittingEmptySubsequences: false)
    guard let first = components.first, first.elementsEqual("m".utf8) else { throw .malformedPath(component: 0) }
    var steps: [ChildIndex] = []
    for (position, component) in components.enumerated().dropFirst() {
      guard let step = Self.step(component) else { throw .malformedPath(component: position) }
      steps.append(step)
    }
    try self.init(steps)
  }

  private static func step(_ component: Substring.UTF8View) -> ChildIndex? {
    var digits = component[...]
    let isHardened = digits.last.map { "'hH".utf8.contains($0) } ?? false
    if isHardened { digits.removeLast() }
    guard let first = digits.first, digits.count <= 10, first != 0x30 || digits.count == 1 else { return nil }
    var number: UInt64 = 0  // ten digits fit
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + UInt64(digit - 0x30)
    }
    guard let number = UInt32(exactly: number) else { return nil }
    return isHardened ? ChildIndex(hardened: number) : ChildIndex(normal: number)
  }
}

extension DerivationPath: CustomStringConvertible {
  /// For example `m/44'/1237'/0'/0/0`.
  public var description: String { (["m"] + steps.map(\.description)).joined(separator: "/") }
}
