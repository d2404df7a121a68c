import CommandLine
import OwnerAPI

/// Which of the found accounts become identities.
enum AccountChoice: Sendable, Equatable {
  /// All that are not in the vault yet.
  case all
  /// These.
  case numbers([Int64])

  /// At most as many as are searched.
  private static let most = 1_000

  /// Parses what a person typed or the value of `--take`: `all`, or numbers separated by commas or spaces.
  /// - Returns: nil for other text.
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

  /// The value of `--take`. Nil without that option.
  init?(_ line: Invocation) throws(UsageError) {
    guard let text = line.value("take") else { return nil }
    guard let choice = AccountChoice(text) else {
      throw .valueMalformed(option: "take", form: "“all”, or numbers of accounts such as 0,2,5")
    }
    self = choice
  }

  /// The chosen accounts in the order of `found`, each once, without those that are in the vault.
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
    /// The account's number.
    let number: Int64
  }
}
