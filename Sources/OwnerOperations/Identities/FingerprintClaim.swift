import OwnerAPI
import Signer
import Vault

/// What a receipt says about the fingers of this machine, for keys of the class `biometric-required`.
enum FingerprintClaim {
  static func all(_ facts: ReceiptFacts) -> [ReceiptClaim] {
    guard facts.protection.base == .biometricRequired else { return [] }
    let (holds, how) = found(facts)
    return [
      ReceiptClaim(
        "present-fingers",
        sentence: "A finger added to or removed from this machine closes it until you enrol again with another slot.",
        holds: holds, tested: holds == .yes ? facts.now : nil, how: how)
    ]
  }

  private static func found(_ facts: ReceiptFacts) -> (ReceiptClaim.Holding, String) {
    switch (facts.fingers, facts.fingersNow) {
    case (_, .unknown(let why)): return (.notEnforcedHere, why.words)
    case (nil, .seen): return (.notEnforcedHere, "the fingers it was enrolled with are unknown while locked")
    case (let enrolled?, .seen(let now)):
      let names = Set(now.readers.map(\.name))
      guard enrolled.readers.allSatisfy({ names.contains($0.name) }) else {
        return (.notEnforcedHere, "a reader it was enrolled with is missing now, so its fingers are unknown")
      }
      guard !enrolled.readers.isEmpty else { return (.yes, "there was no reader then; a reader with fingers would close it") }
      let compared = "\(enrolled.fingers.count) enrolled, compared by name at each proof"
      return (
        .yes,
        enrolled.prints == nil
          ? compared + "; the prints cannot be read here, so another finger with the same name goes unnoticed"
          : compared + ", and a digest of the stored prints"
      )
    }
  }
}
