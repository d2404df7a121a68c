import AuditLog
import DaemonSupport
import JSON
import OwnerAPI
import Signer
import Testing

@testable import OwnerOperations

/// The log names where a wrong passphrase came from.
@Suite struct AttemptOriginTests {
  @Test("A wrong passphrase is recorded with the place where it was typed, and what for")
  func aWrongPassphraseHasAnOrigin() throws {
    let signer = try Signer()
    let secrets = ["passphrase": try box("wrong")]
    _ = try? signer.operations.perform(ControlRequest("slot/rotate", secrets: secrets), via: .command)
    #expect(
      try signer.entries(.vaultOpenFailed).map { $0.rule?.description } == ["passphrase, from a terminal, for slot/rotate"])
    #expect(try signer.entries(.vaultOpenFailed).map { $0.code?.description } == ["passphrase"], "counted as before")
    signer.close()
    let other = try Signer()
    var request = ControlRequest("session/prove", secrets: secrets)
    request.session = "3fa29c0122334455"
    _ = try? other.operations.perform(request, via: .console)
    #expect(
      try other.entries(.vaultOpenFailed).map { $0.rule?.description }
        == ["passphrase, from the browser 3fa29c01, for session/prove"])
    other.close()
    let third = try Signer()
    request.session = nil
    request.isSignIn = true
    _ = try? third.operations.perform(request, via: .console)
    #expect(try third.entries(.vaultOpenFailed).map { $0.rule?.description } == ["passphrase, from the sign-in page"])
    third.close()
  }
}
