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
  private let folder: Folder
  private var process: Program?

  /// - Parameter store: of another one; nil for an own, with a token made in it.
  init(copying store: String? = nil) throws {
    try DriverHost.use()
    folder = try Folder()
    self.store = folder.file("store")
    if let store { try FileManager.default.copyItem(atPath: store, toPath: self.store) } else { _ = try folder.make("store") }
    _ = try folder.make("state")
    try start()
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

  deinit { stop() }

  /// Makes this one the process's.
  func use() {
    setenv("TPM2_PKCS11_TCTI", "swtpm:path=" + folder.file("tpm"), 1)
    setenv("TPM2_PKCS11_STORE", store, 1)
    setenv("TPM2_PKCS11_LOG_LEVEL", "0", 1)
    setenv("TSS2_LOG", "all+NONE", 1)
  }

  func start() throws {
    process = try Program(
      "swtpm",
      [
        "socket", "--tpm2", "--tpmstate", "dir=" + folder.file("state"),
        "--server", "type=unixio,path=" + folder.file("tpm"), "--ctrl", "type=unixio,path=" + folder.file("tpm.ctrl"),
        "--flags", "not-need-init,startup-clear",
      ])
    // Both sockets are there a moment after the program is.
    try #require(comesTrue { ["tpm", "tpm.ctrl"].allSatisfy { access(folder.file($0), F_OK) == 0 } }, "swtpm does not answer")
  }

  func stop() {
    process?.stop()
    process = nil
    unlink(folder.file("tpm"))
    unlink(folder.file("tpm.ctrl"))
  }
}
