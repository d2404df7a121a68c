package import JSON
internal import Platform
internal import SecretMemory
internal import Vault

/// A damaged vault that was opened to view and save what is intact. Nothing is signed for apps, and nothing in it changes.
package final class DamagedVaultView: Sendable {
  /// What is damaged, for the owner.
  package let sentence: String
  /// The same for programs.
  package let members: [JSONValue.Member]
  /// The records that are damaged, one object each.
  package let losses: [JSONValue]
  /// Whether the home's log cannot be continued. Nothing is recorded then, and none of it is shown.
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

  /// Releases everything that was made for viewing. Call it after all use.
  func close() { end.body() }
}
