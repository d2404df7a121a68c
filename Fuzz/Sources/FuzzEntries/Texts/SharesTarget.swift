import Mnemonics
import SecretMemory

extension FuzzTarget {
  /// What a person types to recover: the words of shares, one a line.
  static let shares = FuzzTarget("shares") { (bytes) throws(FuzzFault) in
    var collection = ShareCollection()
    var subsets = ShareSubsets()
    var refused = 0
    for line in bytes.split(separator: 0x0a, maxSplits: 8) {
      let line = UnsafeRawBufferPointer(rebasing: line)
      suggest(line)
      guard let share = read(line) else { continue }
      try survives(share)
      // A million iterations would only make the fuzzer slow.
      guard share.numbers.exponent == 0 else { continue }
      try? subsets.add(share, at: collection.count + 1)
      do throws(ShareError) { try collection.add(share) } catch { refused += 1 }
    }
    guard let length = collection.secretLength else { return }
    let secret: SecretBox
    do throws(ShareError) { secret = SecretBox(try collection.secret()) } catch {
      return try require(error != .library, "a secret is as long as its shares' values")
    }
    try require(secret.count == length, "a secret is as long as its shares' values")
    // What was refused may belong together, too, and give something else.
    guard refused == 0, let sorted = try? subsets.secret() else { return }
    let isSame = secret.withBytes { secret in sorted.secret.withBytes { $0.elementsEqual(secret) } }
    try require(isSame, "shares that all fit give one secret however they are put together")
  }

  private static func read(_ line: UnsafeRawBufferPointer) -> Share? {
    do { return try Share(words: line) } catch { return nil }
  }

  private static func suggest(_ line: UnsafeRawBufferPointer) {
    guard line.count > 0, let text = try? SecretBox(SecretBytes(copying: line)), let copy = try? text.duplicate() else { return }
    for position in 0...3 { if let word = ShareText.suggestion(for: copy, at: position) { _ = word.count } }
  }

  private static func survives(_ share: Share) throws(FuzzFault) {
    let words = try unfailing("a share has words") { () throws(ShareError) in try share.words() }
    let again = words.withBytes { read($0) }
    guard let again, again.numbers == share.numbers else { throw FuzzFault("the words of a share are a share") }
    let second = try unfailing("a share has words") { () throws(ShareError) in try again.words() }
    let isSame = words.equals(second)
    try require(isSame, "a share has one text in full words")
  }
}
