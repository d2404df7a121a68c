import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Unlocking

/// A software token of SoftHSM, in a folder of its own.
///
/// SoftHSM finds its tokens by an environment variable: tests that use one do not run at the same time as others that do.
final class SoftHSM {
  static let module = "/usr/lib/softhsm/libsofthsm2.so"
  static let pin = "4711-pin"
  let folder: Folder

  init(labels: [String] = ["holdfast test"]) throws {
    try DriverHost.use()
    folder = try Folder()
    let tokens = try folder.make("tokens")
    try "directories.tokendir = \(tokens)\nobjectstore.backend = file\nlog.level = ERROR\n"
      .write(toFile: folder.file("softhsm2.conf"), atomically: true, encoding: .utf8)
    use()
    for label in labels {
      let made = try run(
        "softhsm2-util", ["--init-token", "--free", "--label", label, "--so-pin", "sopin-123", "--pin", Self.pin])
      try #require(made.status == 0, "\(made.output)")
    }
  }

  /// Makes this one the process's.
  func use() { setenv("SOFTHSM2_CONF", folder.file("softhsm2.conf"), 1) }

  static func uri(_ label: String = "holdfast test") throws -> TokenURI {
    try TokenURI("pkcs11:token=" + label.replacingOccurrences(of: " ", with: "%20"))
  }
}

func box(_ text: String) throws -> SecretBox { SecretBox(try secret(text)) }
