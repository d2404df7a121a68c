import CommandLine
import OwnerAPI

/// Which of the accounts that were found are to be taken as identities.
enum AccountChoice: Sendable, Equatable {
  /// All that are not here.
  case all
  /// These.
  case numbers([Int64])

  /// No more than are searched.
  private static let most = 1_000

  /// What a person typed, or `--take` says: `all`, or numbers with commas or spaces between.
  /// - Returns: nil for what is neither.
  init?(_ text: String) {
    let words = text.lowercased().split { $0 == "," || $0 == " " }
    if words == ["all"] {
      self = .all
      return
    }
    let numbers = words.compactMap { Int64($0) }
    guard numbers.count == words.count, (1...Self.most).contains(numbers.count),
      numbers.allSatisfy({ (0...0x7FFF_FFFF).contains($0) })
    else { return nil }
    self = .numbers(numbers)
  }

  /// What `--take` says; nil when it is not there.
  init?(_ line: Invocation) throws(UsageError) {
    guard let text = line.value("take") else { return nil }
    guard let choice = AccountChoice(text) else {
      throw .valueMalformed(option: "take", form: "“all”, or numbers of accounts such as 0,2,5")
    }
    self = choice
  }

  /// Those to take, in the order of `found`, none twice, without those that are here.
  /// - Throws: the first number that was not found.
  func accounts(in found: [WordsAccount]) throws(NotFound) -> [Int64] {
    if case .numbers(let numbers) = self,
      let other = numbers.first(where: { number in !found.contains { $0.account == number } })
    {
      throw NotFound(number: other)
    }
    return found.filter { $0.here == nil }.map(\.account).filter { number in
      if case .numbers(let numbers) = self { numbers.contains(number) } else { true }
    }
  }

  /// An account that was asked for and is not among those found.
  struct NotFound: Error, Equatable {
    /// Which.
    let number: Int64
  }
}
