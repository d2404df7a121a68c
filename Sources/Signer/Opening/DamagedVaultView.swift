package import JSON
internal import Platform
internal import SecretMemory
internal import Vault

/// A damaged vault, opened to look at and to save what is whole: nothing is signed for apps, and nothing is changed in it.
package final class DamagedVaultView: Sendable {
  /// What is damaged, for the owner.
  package let sentence: String
  /// The same for programs.
  package let members: [JSONValue.Member]
  /// The records that are damaged, one object each.
  package let losses: [JSONValue]
  /// Whether the home's log cannot be gone on with: nothing is recorded, and nothing of it is shown.
  package let isLogLost: Bool
  private let end: Ending

  /// In a struct: see `Locked`.
  struct Ending: Sendable { let body: @Sendable () -> Void }

  package init(
    sentence: String, members: [JSONValue.Member], losses: [JSONValue], isLogLost: Bool, end: @escaping @Sendable () -> Void
  ) {
    (self.sentence, self.members, self.losses) = (sentence, members, losses)
    (self.isLogLost, self.end) = (isLogLost, Ending(body: end))
  }

  /// Lets go of what was made to look at. After everything that uses it.
  func close() { end.body() }
}
