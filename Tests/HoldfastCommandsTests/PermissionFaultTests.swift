import CommandLine
import Testing

@testable import HoldfastCommands

@Suite struct PermissionFaultTests {
  private func fault(_ texts: String...) -> UsageError? {
    do throws(UsageError) { try PermissionFaults.check(texts) } catch { return error }
    return nil
  }

  @Test("Several wrong permissions are named at once, each with the one that was meant or what is wrong")
  func allFaultsAreNamedAtOnce() {
    let found = fault("sign_event:1", "sign_evnt:7", "post", "sign_event:x", "fly")
    #expect(
      found?.sentence == "4 of these are no permissions: “sign_evnt:7”, “post”, “sign_event:x”, “fly”. Nothing was changed.")
    guard case .refused(_, let hint) = found else { return #expect(found != nil) }
    let faults = """
      “sign_evnt:7”: did you mean sign_event:7? “post”: did you mean sign_event:1? “sign_event:x”: A kind must be a number from 0 to \
      65535. “fly”: there is no such method.
      """
    #expect(hint == "\(faults) \(PermissionFaults.forms)")
  }

  @Test("One unknown permission is answered with what permissions look like", arguments: ["fly", "sign_evnt:7", "profile"])
  func formsAreNamed(text: String) {
    guard case .refused(let sentence, let hint) = fault(text) else { return #expect(Bool(false), "\(text) was taken") }
    #expect(sentence == "“\(text)” is no permission." && hint.hasSuffix(PermissionFaults.forms))
  }

  @Test(
    "Good permissions are taken",
    arguments: ["sign_event", "sign_event:0", "nip44_decrypt@self", "sign_event:22242@wss://r.example"])
  func goodOnesAreTaken(text: String) { #expect(fault(text) == nil) }
}
