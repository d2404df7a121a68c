internal import JSON
internal import LocalAccess
internal import Locks
internal import SecretMemory
internal import Vault

/// A damaged vault, opened to look at and to save what is whole: nothing is signed for apps, and nothing is changed in it.
final class Look: Sendable {
  /// What is damaged, for the owner.
  let sentence: String
  /// The same for programs.
  let members: [JSONValue.Member]
  let losses: [LostRecord]
  private let end: Ending

  /// In a struct: see `Locked`.
  struct Ending: Sendable { let body: @Sendable () -> Void }

  init(_ mended: MendedVault, end: @escaping @Sendable () -> Void) {
    (sentence, members, losses, self.end) = (mended.sentence, mended.members, mended.losses, Ending(body: end))
  }

  /// Lets go of what was made to look at. After everything that uses it.
  func close() { end.body() }

  /// Operations that change nothing in the vault though they are no looks, or lock it.
  private static let saving: Set<String> = [
    "identity/export", "backup/create", "unlock", "lock", "panic", "console/link", "vault/repair", "vault/accept",
  ]

  func allows(_ operation: String) -> Bool { Self.saving.contains(operation) || Operations.table[operation] == .looks }

  /// What is said to everything else.
  var refusal: OperationFailure {
    OperationFailure(
      .failed,
      sentence
        + " Until it is repaired, nothing is signed, and nothing is changed in it; you can look, export keys, make a backup.",
      hint: "See what is lost: holdfast vault repair --plan. To go on without it, stop the signer, then: holdfast vault repair"
    )
  }

  /// An answer, which says what it was read from.
  func marked(_ result: ControlResult) -> ControlResult {
    guard let members = result.json.members else { return result }
    return ControlResult(.object(members + [.init("vault_damaged", .string(sentence))]), secrets: result.secrets)
  }
}

extension Operations {
  /// Refuses what a damaged vault does not allow.
  func checkLook(_ operation: String) throws(OperationFailure) {
    if let look = core.look, !look.allows(operation) { throw look.refusal }
  }
}
