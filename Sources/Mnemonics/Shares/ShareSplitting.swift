import Ciphers
public import SecretMemory

/// A secret of 16 to 32 bytes as a kit of shares, and back (SLIP-39).
public enum SharedSecret {
  /// Makes a kit: one list of shares for each group of the plan.
  ///
  /// Costs `10,000 · 2^exponent` iterations of PBKDF2, about a millisecond for 0.
  /// - Parameters:
  ///   - secret: 16 to 32 bytes, an even number.
  ///   - exponent: 0 to 15.
  ///   - isExtendable: whether later kits of the same secret open with the same passphrase; new kits are.
  ///   - random: fills a buffer; the system's generator but for tests.
  /// - Throws: `.secretLength`, `.exponent`, `.outOfMemory`.
  public static func split(
    _ secret: borrowing SecretBytes, into plan: SharePlan, exponent: Int = 0, isExtendable: Bool = true,
    random: (UnsafeMutableRawBufferPointer) -> Void = SystemRandom.fill
  ) throws(ShareError) -> [[Share]] {
    try split(secret, into: plan, try SharePassphrase(), exponent, isExtendable, random)
  }

  /// As above with a passphrase that has to be known besides the shares. Another one opens the kit to another secret, never an error.
  /// - Parameter passphrase: 1 to 1,024 bytes of printable ASCII.
  /// - Throws: `.passphraseCharacter` and `.passphraseTooLong`, too.
  public static func split(
    _ secret: borrowing SecretBytes, into plan: SharePlan, passphrase: borrowing SecretBytes, exponent: Int = 0,
    isExtendable: Bool = true, random: (UnsafeMutableRawBufferPointer) -> Void = SystemRandom.fill
  ) throws(ShareError) -> [[Share]] {
    try split(secret, into: plan, try SharePassphrase(passphrase), exponent, isExtendable, random)
  }

  private static func split(
    _ secret: borrowing SecretBytes, into plan: SharePlan, _ passphrase: borrowing SharePassphrase, _ exponent: Int,
    _ isExtendable: Bool, _ random: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ShareError) -> [[Share]] {
    guard ShareSymbols.secretLengths.contains(secret.count), secret.count % 2 == 0 else { throw .secretLength(secret.count) }
    guard (0...15).contains(exponent) else { throw .exponent(exponent) }
    var identifier: UInt16 = 0
    withUnsafeMutableBytes(of: &identifier) { random($0) }
    func numbers(_ group: Int, _ member: Int) -> ShareNumbers {
      ShareNumbers(
        identifier: identifier & 0x7fff, isExtendable: isExtendable, exponent: exponent, groupIndex: group,
        groupThreshold: plan.groupThreshold, groupCount: plan.groups.count, memberIndex: member,
        memberThreshold: plan.groups[group].threshold)
    }
    let sealed = SecretBox(try ShareCipher(numbers(0, 0)).encrypted(secret, passphrase))
    let groups = try Polynomial.points(of: sealed, threshold: plan.groupThreshold, count: plan.groups.count, random)
    var kit: [[Share]] = []
    for (index, group) in plan.groups.enumerated() {
      let members = try Polynomial.points(of: groups[index].value, threshold: group.threshold, count: group.count, random)
      kit.append(members.map { Share(numbers(index, Int($0.x)), $0.value) })
    }
    return kit
  }
}
