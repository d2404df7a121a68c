import OwnerAPI
import OwnerWords
import Testing
import Vault

@testable import OwnerOperations

@Suite struct WrongPassphraseTests {
  private func refusal(_ seconds: Int) -> OperationError { OperationError(VaultError.wrongPassphrase(waitSeconds: seconds)) }

  @Test("A wrong passphrase says once that one may try again", arguments: [0, 1, 60])
  func tryingAgainIsSaidOnce(seconds: Int) {
    let said = "\(refusal(seconds).error) \(refusal(seconds).hint ?? "")".lowercased()
    #expect(said.ranges(of: "try again").count == 1, "\(said)")
  }

  @Test("That it may be an older copy of the vault is said after several wrong ones, and not after a slip")
  func anOlderCopyIsNotTheFirstGuess() {
    #expect(refusal(0).hint?.contains("older copy") == false && refusal(1).hint?.contains("older copy") == true)
  }
}
