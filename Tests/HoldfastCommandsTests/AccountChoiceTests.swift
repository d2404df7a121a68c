import OwnerAPI
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

@Suite struct AccountChoiceTests {
  private static let found = [(0, "w"), (2, nil), (7, nil)].map { (number: Int64, here: String?) in
    var account = WordsAccount()
    (account.account, account.here) = (number, here)
    return account
  }

  @Test(
    "A choice takes the accounts that are not imported yet",
    arguments: [
      ("all", [2, 7]), (" ALL ", [2, 7]), ("2", [2]), ("7,2", [2, 7]), ("7 2", [2, 7]), ("0", []), ("2,2", [2]),
    ] as [(String, [Int64])])
  func thoseThatAreNotHereAreTaken(text: String, expected: [Int64]) throws {
    #expect(try #require(AccountChoice(text)).accounts(in: Self.found) == expected)
  }

  @Test("An invalid choice is refused", arguments: ["", ",", "x", "2,x", "-1", "all,2", "2147483648", "99999999999999999999"])
  func whatIsNoChoiceIsRefused(text: String) { #expect(AccountChoice(text) == nil) }

  @Test("An account that was not found is named in the error") func anAccountThatWasNotFoundIsNamed() throws {
    let choice = try #require(AccountChoice("2,5"))
    #expect(throws: AccountChoice.NotFound(number: 5)) { try choice.accounts(in: Self.found) }
  }
}
