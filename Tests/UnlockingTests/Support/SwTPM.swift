import Foundation
import SecretMemory
import Testing

@testable import Unlocking

/// A TPM of software (swtpm), reached through tpm2-pkcs11 and a socket in the test's own folder.
final class SwTPM {
  static let module = "/usr/lib/x86_64-linux-gnu/pkcs11/libtpm2_pkcs11.so"
  static let pin = "user-1234"
  static let label = "tpm test"
  /// Where the module keeps what the TPM wrapped: as good as nothing without that TPM.
  let store: String
  private let tpm: SoftTPM

  /// - Parameter store: of another one; nil for an own, with a token made in it.
  init(copying store: String? = nil) throws {
    try DriverHost.use()
    tpm = try SoftTPM()
    self.store = tpm.folder.file("store")
    if let store { try FileManager.default.copyItem(atPath: store, toPath: self.store) } else { _ = try tpm.folder.make("store") }
    use()
    guard store == nil else { return }
    let tool = ["--module", Self.module]
    let soPIN = ["--so-pin", "sopin-123"]
    for step in [
      tool + ["--slot-index", "0", "--init-token", "--label", Self.label] + soPIN,
      tool + ["--token-label", Self.label, "--login", "--login-type", "so"] + soPIN + ["--init-pin", "--pin", Self.pin],
    ] {
      let made = try run("pkcs11-tool", step)
      try #require(made.status == 0, "\(made.output)")
    }
  }

  /// Makes this one the process's.
  func use() {
    setenv("TPM2_PKCS11_TCTI", tpm.name, 1)
    setenv("TPM2_PKCS11_STORE", store, 1)
    setenv("TPM2_PKCS11_LOG_LEVEL", "0", 1)
  }

  func start() throws { try tpm.start() }

  func stop() { tpm.stop() }
}
