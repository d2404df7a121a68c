import Foundation
import Testing

@testable import Unlocking

/// The program that runs drivers for these tests, built beside them.
enum DriverHost {
  static let path: String? = {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return ["DriverHost", "../DriverHost"].map { folder.appendingPathComponent($0).path }.first { access($0, X_OK) == 0 }
  }()

  static func use() throws { ModuleProcess.use(program: try #require(path, "DriverHost was not built")) }
}

/// The driver that does harm (Tests/BadModule), built for one test, in a folder of the test's own.
final class BadModule {
  let folder: Folder
  let path: String

  init() throws {
    try DriverHost.use()
    folder = try Folder()
    path = folder.file("bad.so")
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../BadModule/bad_module.c")
    let made = try run("cc", ["-shared", "-fPIC", "-o", path, source.path])
    try #require(made.status == 0, "\(made.output)")
    behave(nil)
  }

  deinit { for name in ["PKCS11_BAD", "PKCS11_MARKER", "PKCS11_REPORT"] { unsetenv(name) } }

  /// - Parameter what: as `abort:login`; nil for a driver that does what it should.
  func behave(_ what: String?) {
    guard let what else {
      unsetenv("PKCS11_BAD")
      return
    }
    setenv("PKCS11_BAD", what, 1)
  }

  /// - Parameter milliseconds: for each answer.
  func device(milliseconds: Int = 30_000) throws -> TokenDevice {
    let limit = TokenLimits.Limit(milliseconds: milliseconds, words: "its driver did not answer in time")
    return TokenDevice(
      uri: nil, module: .named(path), pin: try box("4711-pin"),
      limits: TokenLimits(answer: limit, touch: limit, keypad: limit, making: limit))
  }
}
