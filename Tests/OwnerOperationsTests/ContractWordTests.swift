import Desktop
import Identities
import Nostr
import OwnerAPI
import OwnerWords
import Relays
import RequestPreview
import Testing
import Vault

@testable import KeyRotation
@testable import Observability
@testable import OwnerOperations
@testable import Signer

/// The contract writes its own words; the modules below have theirs.
@Suite struct ContractWordTests {
  @Test("Each value is told by the word of its own name") func words() {
    for protection in ProtectionClass.allCases {
      #expect(KeyProtection(protection).rawValue == protection.name)
      #expect(ProtectionClass(KeyProtection(protection)) == protection)
    }
    for type in SlotType.allCases { #expect(SlotKind(type).rawValue == type.name) }
    for origin in Identity.Origin.allCases { #expect(IdentityOrigin(origin).rawValue == origin.name) }
    for what in Rotation.What.allCases { #expect(RotationEvent(what).rawValue == what.rawValue) }
    for reason in Succession.Reason.allCases { #expect(RotationReason(reason).rawValue == reason.rawValue) }
    for problem in Problem.allCases { #expect(ProblemName(problem).rawValue == problem.rawValue) }
    for word in KeySecurity.allCases { #expect(KeySecurity(NIP49.Security(word)) == word) }
    for condition in [DesktopNotifier.Condition.unused, .shown, .noLibrary, .noBus, .noDesktop] {
      #expect(DesktopCondition(condition).rawValue == condition.rawValue)
    }
    #expect(DesktopCondition(nil) == .off)
  }

  @Test("Each concern and each subject of a warning has its word, and no word is without one") func concerns() {
    #expect(Set(RequestConcern.allCases.map(\.rawValue)) == Set(Concern.allCases.map(\.rawValue)))
    #expect(
      Set(RequestPreview.WarningSubject.allCases.map(\.rawValue)) == Set(OwnerAPI.WarningSubject.allCases.map(\.rawValue)))
  }
}
