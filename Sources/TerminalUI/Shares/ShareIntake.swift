public import Mnemonics
public import SecretMemory

/// Takes shares as a person has them, checks each at once, and hands them on in plain words.
public struct ShareIntake {
  /// The longest text with shares in it, in bytes.
  public static let longestText = 64 << 10

  private var collection = ShareCollection()
  private var taken: [Share] = []
  private let takesRivals: Bool

  /// Whether shares are among those that were taken which cannot all be of one kit: the signer says which belong together.
  public private(set) var hasRivals = false

  /// Nothing yet.
  /// - Parameter takesRivals: whether shares that claim one place of a kit, or say different things of it, are taken as well: they come
  ///   from several people, and nobody can be asked which is forged.
  public init(takesRivals: Bool = false) { self.takesRivals = takesRivals }

  /// Takes every share in a text, or the one on a printed page. Shares beyond those that are needed are taken, too: then a wrong one can be told.
  /// - Parameter place: where the text is from, for the error: a file's name.
  /// - Returns: how many there were.
  /// - Throws: what is wrong, said of the first share that is at fault.
  @discardableResult
  public mutating func take(_ text: borrowing SecretBytes, from place: String? = nil) throws(ShareEntryError) -> Int {
    if text.withBytes({ SharePageText.isPage($0) }) {
      guard let words = text.withBytes({ SharePageText.words(in: $0) }) else {
        throw ShareEntryError(
          "\(place.map { "“\(printable($0))”" } ?? "The input") is a page, but not one of a recovery kit.",
          hint: "Give pages as 'holdfast recovery create --out' wrote them, or type the words.", kind: .malformed)
      }
      try words.withBytes { (words) throws(ShareEntryError) in try take(one: words, from: place) }
      return 1
    }
    let ranges = text.withBytes { ShareTexts.ranges(in: $0) }
    guard !ranges.isEmpty else {
      throw ShareEntryError("There is no share in \(place.map { "“\(printable($0))”" } ?? "the input").", kind: .malformed)
    }
    for range in ranges {
      try text.withBytes { (bytes) throws(ShareEntryError) in
        try take(one: UnsafeRawBufferPointer(rebasing: bytes[range]), from: place)
      }
    }
    return ranges.count
  }

  private mutating func take(one text: UnsafeRawBufferPointer, from place: String?) throws(ShareEntryError) {
    let number = taken.count + 1
    let name = "Share \(number)" + (place.map { " (\(printable($0)))" } ?? " of those given")
    do throws(ShareTextError) {
      let share = try Share(words: text)
      do throws(ShareError) { try collection.add(share, at: number) } catch {
        guard case .share(_, let fault) = error else { throw ShareTextError.outOfMemory }
        guard takesRivals, isRival(share, fault) else { throw fault }
        hasRivals = true
      }
      taken.append(share)
    } catch { throw ShareEntryError(name, error, suggestion: Self.suggestion(text, error)) }
  }

  private func isRival(_ share: Share, _ fault: ShareTextError) -> Bool {
    switch fault {
    case .conflict, .duplicate, .otherRules: true
    case .otherKit: share.numbers.identifier == collection.numbers?.identifier
    default: false
    }
  }

  private static func suggestion(_ text: UnsafeRawBufferPointer, _ fault: ShareTextError) -> SecretBox? {
    guard case .unknownWord(let position) = fault, let copy = try? SecretBox(SecretBytes(copying: text)),
      let text = try? copy.duplicate(), let word = ShareText.suggestion(for: text, at: position)
    else { return nil }
    return SecretBox(word)
  }

  /// How many were taken.
  public var count: Int { taken.count }

  /// Which shares are there and how many are missing. Nil before the first share.
  public var progress: ShareProgress? { collection.progress }

  /// Whether the secret can be put together.
  public var isComplete: Bool { collection.progress?.isComplete ?? false }

  /// The kit the shares belong to, as it is printed on them.
  public var kit: String? { collection.numbers?.kit }

  /// How many words each share has; nil before there is one.
  public var wordCount: Int? { taken.first?.wordCount }

  /// Checks whether the shares belong together. One that does not is left out, if it can be found out which.
  /// - Returns: what is wrong. Nil while there are too few shares to find out, and if they fit.
  public mutating func check() -> ShareEntryError? {
    guard isComplete else { return nil }
    do throws(ShareError) {
      try collection.check()
      return nil
    } catch {
      guard case .share(let number, let fault) = error else {
        return ShareEntryError(
          "These shares do not belong together: one of them is forged or from an older kit.",
          hint: "Give one more share to find out which one is wrong.")
      }
      if taken.indices.contains(number - 1) { taken.remove(at: number - 1) }
      collectAnew()
      let (text, _) = fault.sentence("Share \(number)")
      return ShareEntryError(text, hint: "It was ignored. Give another share.")
    }
  }

  /// - Returns: false when there is none.
  public mutating func forgetLast() -> Bool {
    guard taken.popLast() != nil else { return false }
    collectAnew()
    return true
  }

  private mutating func collectAnew() {
    collection = ShareCollection()
    // They were accepted before, so none of them is wrong alone.
    for (index, share) in taken.enumerated() { try? collection.add(share, at: index + 1) }
  }

  /// All shares, one a line, as the operations take them.
  /// - Throws: when memory is short.
  public func lines() throws(ShareEntryError) -> SecretBytes {
    do {
      let words = try taken.map { SecretBox(try $0.words()) }
      let length = words.reduce(0) { $0 + $1.count + 1 }
      return try SecretBytes(count: max(length, 1)) { target in
        var end = 0
        for share in words {
          share.withBytes { target[end..<end + $0.count].copyBytes(from: $0) }
          end += share.count
          target[end] = 0x0A
          end += 1
        }
      }
    } catch { throw ShareEntryError("There is not enough memory.") }
  }
}

extension UnsafeMutableRawBufferPointer.SubSequence {
  fileprivate mutating func copyBytes(from bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: self).copyMemory(from: bytes)
  }
}
