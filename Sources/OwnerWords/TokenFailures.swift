package import OwnerAPI
package import Signer
package import Unlocking
package import Vault

/// Errors of tokens, as sentences that say where to look.
extension OperationError {
  /// Why a credential did not open the vault.
  package init(_ failure: OpeningError) {
    switch failure.error {
    case .authenticationFailed where failure.isTokenForNoSlot:
      self.init(
        .notFound, "No slot of this vault belongs to that token.", hint: "To see which tokens have one: holdfast slot list")
    case .authenticationFailed where failure.refusingToken != nil:
      self.init(failure.error, by: .token, token: failure.refusingToken)
    case _ where !failure.absences.isEmpty: self = Self.absent(failure.absences)
    default: self.init(failure.error, by: failure.type)
    }
  }

  /// The same for an opener that was used.
  package init(_ error: KeyStoreError, by opener: some SlotOpener) { self.init(OpeningError(error, by: opener)) }

  private static func absent(_ absences: [TokenAbsence]) -> OperationError {
    let told = absences.map(\.sentence).joined(separator: " ")
    let isDriverSilent = absences.contains { absence in
      if case .deviceFailed = absence.reason { return false }
      return absence.seen?.tokens.isEmpty ?? true
    }
    let environment =
      " If it is present, its driver may need environment variables (SOFTHSM2_CONF, TPM2_PKCS11_STORE). A running signer has"
      + " the environment it was started with."
    return OperationError(
      .notFound, told,
      hint: "Put \(absences.count == 1 ? "it" : "one") in, or use another slot: holdfast slot list."
        + (isDriverSilent ? environment : ""))
  }
}

extension TokenAbsence {
  /// What happened, and what the driver reports.
  package var sentence: String {
    let driver = module.map { "Its driver \($0)" } ?? "p11-kit"
    let name = "The token “\(token.name)”"
    if reason == .notPresent("the token's module") {
      return "\(name) cannot be used: its driver \(module ?? "") is missing."
    }
    switch reason {
    case .notPresent: return "\(name) is not present. \(driver) shows \(shown)."
    case .itemNotFound: return "\(name) is present, but it no longer has the key of slot \(slot)."
    case .deviceFailed(let step, let code):
      return "\(name) failed: \(step)\(code == 0 ? "" : " (0x" + String(code, radix: 16) + ")")."
    default: return "\(name) could not be used."
    }
  }

  private var shown: String {
    guard let seen else { return "nothing, because it could not be started" }
    let slots = seen.slots == 1 ? "1 slot" : "\(seen.slots) slots"
    guard !seen.tokens.isEmpty else { return "\(slots) and no token" }
    return "\(slots) with \(seen.tokens.map { "“\($0.name)”" }.joined(separator: ", "))"
  }
}
