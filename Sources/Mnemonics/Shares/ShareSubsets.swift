public import SecretMemory

/// Finds the shares that belong together among shares from several people, some of which may be forged.
///
/// `ShareCollection` is for one person who types shares and learns which is wrong. Here several shares may claim one place in the
/// kit, or contradict each other, and nobody can be asked. Each set that could be complete is tried. The digest inside tells
/// which set belongs together (SLIP-39, "Shamir's secret sharing").
public struct ShareSubsets: Sendable {
  /// The most shares that are looked at.
  public static let mostShares = 128
  /// The most sets of shares that are tried.
  public static let mostTries = 20_000

  private var entries: [(position: Int, share: Share)] = []

  /// Nothing yet.
  public init() {}

  /// Takes a share. A copy of one that is there is passed over.
  /// - Parameter position: what it is called in errors and in what is left out.
  /// - Throws: `.tooManyShares`.
  public mutating func add(_ share: Share, at position: Int) throws(ShareError) {
    guard entries.count < Self.mostShares else { throw .tooManyShares(limit: Self.mostShares) }
    guard !entries.contains(where: { $0.share.isCopy(of: share) }) else { return }
    entries.append((position, share))
  }

  /// The secret that one set alone gives, without a passphrase.
  /// - Throws: `.digest` when no set belongs together, or none is whole; `.rivals` when several do, and give different secrets;
  ///   `.tooManySets`, `.outOfMemory`.
  public func secret() throws(ShareError) -> FoundShares { try secret(SharePassphrase(), most: Self.mostTries) }

  /// As above with the passphrase of the kit. A wrong one gives another secret and no error.
  /// - Throws: `.passphraseCharacter` and `.passphraseTooLong`, too.
  public func secret(passphrase: borrowing SecretBytes) throws(ShareError) -> FoundShares {
    try secret(SharePassphrase(passphrase), most: Self.mostTries)
  }

  func secret(_ passphrase: borrowing SharePassphrase, most: Int) throws(ShareError) -> FoundShares {
    let (rules, found) = try only(most: most)
    let sealed: SecretBytes
    do throws(SecretBytesError<Never>) { sealed = try found.value.duplicate() } catch { throw .outOfMemory }
    let secret = SecretBox(try ShareCipher(rules.numbers).decrypted(sealed, passphrase))
    let used = found.positions
    return FoundShares(
      numbers: rules.numbers, secret: secret, leftOut: entries.map(\.position).filter { !used.contains($0) })
  }

  /// The secrets of all sets whose digest is right. A kit of which one share is enough has no digest: then all shares must agree.
  private func only(most: Int) throws(ShareError) -> (rules: Rules, piece: Piece) {
    var search = ShareSearch(triesLeft: most, limit: most)
    var found: [(rules: Rules, piece: Piece)] = []
    for rules in allRules {
      for piece in try search.pieces(of: groups(under: rules, &search), threshold: rules.numbers.groupThreshold) {
        found.append((rules, piece))
      }
    }
    let proven = found.filter(\.piece.isProven)
    let candidates = proven.isEmpty ? found : proven
    guard let first = candidates.first else { throw .digest }
    guard candidates.count == 1 else { throw .rivals(candidates.map { $0.piece.positions.sorted() }) }
    guard first.piece.isProven || first.piece.positions.count == entries.count else { throw .digest }
    return first
  }

  /// Every value that so many members of a group give together, at the group's place.
  private func groups(under rules: Rules, _ search: inout ShareSearch) throws(ShareError) -> [Piece] {
    var values: [Piece] = []
    let shares = entries.filter { Rules($0.share) == rules }
    for group in Set(shares.map(\.share.numbers.groupIndex)).sorted() {
      for threshold in 1...SharePlan.most {
        let members = shares.filter { $0.share.numbers.groupIndex == group && $0.share.numbers.memberThreshold == threshold }
        let pieces = members.map { Piece($0.share.numbers.memberIndex, $0.share.value, [$0.position], isProven: false) }
        for value in try search.pieces(of: pieces, threshold: threshold) { values.append(value.at(group)) }
      }
    }
    return values
  }

  private var allRules: [Rules] {
    var all: [Rules] = []
    for entry in entries where !all.contains(Rules(entry.share)) { all.append(Rules(entry.share)) }
    return all
  }
}

/// What shares that belong together give.
public struct FoundShares: Sendable {
  /// What they say of the kit.
  public let numbers: ShareNumbers
  /// The secret.
  public let secret: SecretBox
  /// The positions of those that do not fit: forged, or of another kit.
  public let leftOut: [Int]
}

/// What all shares of one kit have in common.
private struct Rules: Equatable {
  /// As the first share of them says.
  let numbers: ShareNumbers
  let length: Int

  init(_ share: Share) { (numbers, length) = (share.numbers, share.value.count) }

  static func == (one: Rules, other: Rules) -> Bool {
    let (a, b) = (one.numbers, other.numbers)
    return a.isSameKit(as: b) && a.exponent == b.exponent && a.groupThreshold == b.groupThreshold && a.groupCount == b.groupCount
      && one.length == other.length
  }
}

extension Share {
  fileprivate func isCopy(of other: Share) -> Bool {
    numbers == other.numbers && value.withBytes { own in other.value.withBytes { constantTimeEqual(own, $0) } }
  }
}
