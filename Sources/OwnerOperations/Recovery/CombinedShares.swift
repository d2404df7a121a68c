import Mnemonics
import OwnerAPI
import OwnerWords
import SecretMemory

/// The shares of a request, combined.
struct CombinedShares {
  let numbers: ShareNumbers
  let secret: SecretBox
  /// As they were given, one a line.
  let lines: SecretBox
  /// The kit's recovery code, as it was given.
  let code: SecretBox?
  /// Which of the shares do not fit, the first being 1. Empty if none may be left out.
  let leftOut: [Int]

  var hasCode: Bool { code != nil }

  init(_ given: KitShares, leavingOut: Bool = false) throws {
    guard let lines = given.shares else {
      throw OperationError.usage("The shares are missing.", hint: "Name their files, or give the shares on standard input.")
    }
    try self.init(lines, code: given.recoveryCode, leavingOut: leavingOut)
  }

  /// - Parameters:
  ///   - lines: one share a line.
  ///   - code: the recovery code; nil for a kit without one. A wrong one gives another secret and no error.
  ///   - leavingOut: whether shares that do not fit are left out, if the others give only one possible secret. Otherwise the
  ///     first of them is named.
  init(_ lines: SecretBox, code: SecretBox?, leavingOut: Bool = false) throws {
    (self.lines, self.code) = (lines, code)
    try Self.checkCost(lines)
    let found: (numbers: ShareNumbers, secret: SecretBox, leftOut: [Int])
    do { found = try Self.combined(lines, code, leavingOut: leavingOut) } catch { throw OperationError(error) }
    (numbers, secret, leftOut) = found
  }

  /// Refuses shares whose exponent of iterations makes each attempt cost minutes, as anybody can make them.
  private static func checkCost(_ lines: SecretBox) throws {
    let exponents = try? lines.withBytes { (text) throws(ShareError) in try shares(text).map(\.numbers.exponent) }
    guard let exponents, exponents.contains(where: { $0 > mostExponent }) else { return }
    throw OperationError.usage(
      "These shares cost too much to combine (iteration exponent \(exponents.max() ?? 0), at most \(mostExponent)).",
      hint: "Holdfast makes kits with exponent 0. Combine these with the program that made them.")
  }

  /// The largest exponent of iterations that is computed. Kits of Holdfast have 0; 15 takes a minute.
  static let mostExponent = 2

  private static func combined(
    _ lines: SecretBox, _ code: SecretBox?, leavingOut: Bool
  ) throws(ShareError) -> (ShareNumbers, SecretBox, [Int]) {
    let shares = try lines.withBytes { (text) throws(ShareError) in try Self.shares(text) }
    guard let numbers = shares.first?.numbers else { throw ShareError.share(1, .wordCount(0)) }
    do throws(ShareError) { return (numbers, SecretBox(try secret(of: collection(shares), code)), []) } catch {
      guard leavingOut, error.mayBeForgery(among: shares), let found = try sorted(shares, code) else { throw error }
      return (found.numbers, found.secret, found.leftOut)
    }
  }

  private static func secret(of collection: ShareCollection, _ code: SecretBox?) throws(ShareError) -> SecretBytes {
    guard let code else { return try collection.secret() }
    return try collection.secret(passphrase: copy(of: code))
  }

  private static func copy(of code: SecretBox) throws(ShareError) -> SecretBytes {
    do { return try code.duplicate() } catch { throw ShareError.outOfMemory }
  }

  private static func shares(_ text: UnsafeRawBufferPointer) throws(ShareError) -> [Share] {
    var shares: [Share] = []
    for line in text.split(separator: 0x0A) where line.contains(where: { $0 > 0x20 }) {
      do throws(ShareTextError) { shares.append(try Share(words: UnsafeRawBufferPointer(rebasing: line))) } catch {
        throw ShareError.share(shares.count + 1, error)
      }
    }
    return shares
  }

  private static func collection(_ shares: [Share]) throws(ShareError) -> ShareCollection {
    var collection = ShareCollection()
    for (index, share) in shares.enumerated() { try collection.add(share, at: index + 1) }
    return collection
  }

  /// The shares that belong together. Nil if none do: then the error of the first says more.
  private static func sorted(_ shares: [Share], _ code: SecretBox?) throws(ShareError) -> FoundShares? {
    var subsets = ShareSubsets()
    for (index, share) in shares.enumerated() { try subsets.add(share, at: index + 1) }
    do throws(ShareError) {
      guard let code else { return try subsets.secret() }
      return try subsets.secret(passphrase: copy(of: code))
    } catch {
      if case .digest = error { return nil }
      throw error
    }
  }
}

extension ShareError {
  /// Whether somebody may have forged shares of this kit. A share of another kit is a mistake.
  fileprivate func mayBeForgery(among shares: [Share]) -> Bool {
    switch self {
    case .share(_, .otherKit): Set(shares.map(\.numbers.identifier)).count == 1
    case .share(_, .otherRules), .share(_, .duplicate), .share(_, .conflict), .share(_, .disagrees), .digest, .missing: true
    default: false
    }
  }
}
