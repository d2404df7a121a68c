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

  @Test("Several wrong passphrases bring the hint that a restored vault has an earlier one; a single slip does not")
  func aBackupIsNotTheFirstGuess() {
    #expect(refusal(0).hint?.contains("backup") == false && refusal(1).hint?.contains("backup") == true)
  }
}
