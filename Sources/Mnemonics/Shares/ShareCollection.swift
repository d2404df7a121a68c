public import SecretMemory

/// Collects shares one after the other. It says which one is wrong and how many are missing.
public struct ShareCollection: Sendable {
  private struct Entry {
    let position: Int
    let share: Share
    var point: SharePoint { SharePoint(x: UInt8(truncatingIfNeeded: share.numbers.memberIndex), value: share.value) }
  }

  private var entries: [Entry] = []

  /// An empty collection.
  public init() {}

  /// How many were taken.
  public var count: Int { entries.count }

  /// What the first share says of the kit; nil before there is one.
  public var numbers: ShareNumbers? { entries.first?.share.numbers }

  /// Bytes of the secret; nil before there is a share.
  public var secretLength: Int? { entries.first?.share.value.count }

  /// Takes a share.
  /// - Parameter position: what it is called in errors, the first being 1; if not given, one more than were taken.
  /// - Throws: `.share` with `.otherKit`, `.otherRules`, `.duplicate` or `.conflict`; the collection stays as it was.
  public mutating func add(_ share: Share, at position: Int? = nil) throws(ShareError) {
    let position = position ?? entries.count + 1
    if let first = entries.first?.share {
      guard share.numbers.isSameKit(as: first.numbers) else { throw .share(position, .otherKit) }
    }
    for entry in entries {
      let (old, new) = (entry.share, share)
      guard new.numbers.hasSameRules(as: old.numbers), new.value.count == old.value.count else {
        throw .share(position, .otherRules)
      }
      guard new.numbers.groupIndex == old.numbers.groupIndex, new.numbers.memberIndex == old.numbers.memberIndex else { continue }
      let isSame = new.value.withBytes { new in old.value.withBytes { constantTimeEqual(new, $0) } }
      throw .share(position, isSame ? .duplicate(of: entry.position) : .conflict(with: entry.position))
    }
    entries.append(Entry(position: position, share: share))
  }

  /// Reads a share and takes it.
  /// - Parameter words: as `Share(words:)` takes them.
  /// - Throws: as `add`, and `.share` with what `Share(words:)` throws.
  public mutating func add(words: UnsafeRawBufferPointer) throws(ShareError) {
    let share: Share
    do throws(ShareTextError) { share = try Share(words: words) } catch { throw .share(entries.count + 1, error) }
    try add(share)
  }

  /// What is there and what is missing; nil before there is a share.
  public var progress: ShareProgress? {
    numbers.map { numbers in
      ShareProgress(
        groupThreshold: numbers.groupThreshold, groupCount: numbers.groupCount,
        groups: groupIndices.map { index in
          let members = members(of: index)
          return ShareProgress.Group(
            number: index + 1, threshold: members[0].share.numbers.memberThreshold, have: members.count)
        })
    }
  }

  /// Puts the secret together, without a passphrase. More shares than are needed must fit, too.
  /// - Throws: `.missing`, `.share` with `.disagrees`, `.digest`, `.outOfMemory`.
  public func secret() throws(ShareError) -> SecretBytes { try secret(SharePassphrase()) }

  /// As above with the passphrase of the kit. A wrong one gives another secret and no error.
  /// - Throws: `.passphraseCharacter` and `.passphraseTooLong`, too.
  public func secret(passphrase: borrowing SecretBytes) throws(ShareError) -> SecretBytes {
    try secret(SharePassphrase(passphrase))
  }

  /// Checks that the shares belong together, without decrypting the secret.
  /// - Throws: as `secret()`.
  public func check() throws(ShareError) { _ = try sealed() }

  private func secret(_ passphrase: borrowing SharePassphrase) throws(ShareError) -> SecretBytes {
    let (numbers, value) = try sealed()
    let sealed: SecretBytes
    do throws(SecretBytesError<Never>) { sealed = try value.duplicate() } catch { throw .outOfMemory }
    return try ShareCipher(numbers).decrypted(sealed, passphrase)
  }

  /// The value that was split: the secret, encrypted with the passphrase.
  private func sealed() throws(ShareError) -> (ShareNumbers, SecretBox) {
    guard let progress, let numbers, let secretLength, progress.isComplete else {
      throw .missing(progress ?? ShareProgress(groupThreshold: 1, groupCount: 1, groups: []))
    }
    var groups: [Entry] = []
    for group in progress.groups where group.isComplete {
      let members = members(of: group.number - 1)
      let value = try Self.value(through: members, threshold: group.threshold, secretLength)
      groups.append(Entry(position: members[0].position, share: Share(numbers.asGroup(group.number - 1), value)))
    }
    return (numbers, try Self.value(through: groups, threshold: progress.groupThreshold, secretLength))
  }

  /// In the order of their first share.
  private var groupIndices: [Int] {
    var indices: [Int] = []
    for entry in entries where !indices.contains(entry.share.numbers.groupIndex) {
      indices.append(entry.share.numbers.groupIndex)
    }
    return indices
  }

  private func members(of group: Int) -> [Entry] { entries.filter { $0.share.numbers.groupIndex == group } }

  /// The value all entries lie on one polynomial with.
  private static func value(through entries: [Entry], threshold: Int, _ length: Int) throws(ShareError) -> SecretBox {
    let points = entries.map(\.point)
    let needed = Array(points.prefix(threshold))
    guard let value = try Polynomial.secret(through: needed, length: length) else {
      throw try culprit(among: entries, threshold: threshold, length).map { .share($0, .disagrees) } ?? .digest
    }
    for entry in entries.dropFirst(threshold) {
      let expected = try Interpolation.value(at: entry.point.x, of: needed, length: length)
      let fits = expected.withBytes { expected in entry.share.value.withBytes { constantTimeEqual(expected, $0) } }
      guard fits else { throw .share(entry.position, .disagrees) }
    }
    return value
  }

  /// With one share more than needed, the wrong one can be found: the others fit without it.
  private static func culprit(among entries: [Entry], threshold: Int, _ length: Int) throws(ShareError) -> Int? {
    guard entries.count > threshold else { return nil }
    for index in entries.indices {
      var points = entries.map(\.point)
      points.remove(at: index)
      if try Polynomial.secret(through: Array(points.prefix(threshold)), length: length) != nil { return entries[index].position }
    }
    return nil
  }
}

extension ShareNumbers {
  /// The same kit with a whole group in the place of a member.
  fileprivate func asGroup(_ index: Int) -> ShareNumbers {
    ShareNumbers(
      identifier: identifier, isExtendable: isExtendable, exponent: exponent, groupIndex: 0, groupThreshold: groupThreshold,
      groupCount: groupCount, memberIndex: index, memberThreshold: groupThreshold)
  }
}
