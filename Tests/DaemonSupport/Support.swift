import AuditLog
import Ciphers
import Curve
import Foundation
package import JSON
package import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
package import SecretMemory
import TestSupport
package import Vault

@testable package import OwnerOperations
@testable package import Signer

/// A home folder that is gone when its last owner is.
package final class TestHome: Sendable {
  package static let passphrase = "correct horse"
  package let home: Home
  package var path: String { home.path }

  package init() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-daemon-\(UUID().uuidString)")
    home = Home(folder.path, kinds: .holdfast)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Makes a vault there, cheaply.
  package func withVault() throws -> TestHome {
    try Opening.initialize(home: home, passphrase: secret(Self.passphrase), cost: .floor)
    return self
  }

  package func core(_ words: String = passphrase) throws -> OpenedHome {
    try Opening.open(home: home, credential: ShownCredential(passphrase: SecretBox(try secret(words))))
  }

  /// As a trial, whose passphrase is known here.
  package func trial() throws -> OpenedHome {
    let vault = try Opening.vault(home, ShownCredential(passphrase: SecretBox(try secret(Self.passphrase))))
    return try Opening.open(home: home, vault: vault, isTrial: true)
  }

  package func session(_ words: String = passphrase) throws -> LocalSession {
    try LocalSession(home: home, credential: ShownCredential(passphrase: SecretBox(try secret(words))))
  }

  /// Everything that lies in the folder, by path.
  package func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      guard let data = FileManager.default.contents(atPath: path + "/" + name) else { continue }
      files[name] = [UInt8](data)
    }
    return files
  }
}

/// What opens the entries of a home's log.
package func logKey(_ vault: Vault) throws -> SecretBox {
  SecretBox(try vault.secret(kind: .logKey, id: Array("sealing".utf8)))
}

/// What an operation came to: a result, or the exit code of its failure.
package func exit(
  _ operations: Operations, _ name: String, _ parameters: JSONValue = [:], secrets: [String: SecretBox] = [:]
) -> OperationError.Exit? {
  do throws(OperationError) {
    _ = try operations.perform(ControlRequest(name, parameters, secrets: secrets), via: .command)
    return nil
  } catch { return error.exit }
}

/// What a body throws, as the owner reads it; nil when it throws nothing.
package func failure<Value>(_ body: () throws -> Value) -> OperationError? {
  do {
    _ = try body()
    return nil
  } catch { return OperationError(error) }
}

extension Operations {
  /// - Returns: the answer as it is shown, with its secrets in their places.
  @discardableResult
  package func ask(_ name: String, _ parameters: JSONValue = [:], secrets: [String: SecretBox] = [:]) throws -> JSONValue {
    let request = ControlRequest(name, parameters, secrets: secrets)
    let result = try perform(request, via: .command)
    Contract.check(request, result)
    guard !result.secrets.isEmpty else { return result.json }
    var shown = try SecretBuffer(capacity: 4096)
    try result.writeFilled(to: &shown)
    return try shown.withBytes { try JSONValue(parsing: $0) }
  }
}

/// The names of an object's members, in order.
package func keys(_ value: JSONValue?) -> [String] { (value?.members ?? []).map(\.key) }

/// A text as a secret that goes beside the parameters.
package func box(_ text: String) throws -> SecretBox { SecretBox(try secret(text)) }

package struct Missing: Error {
  package init() {}
}
package func unwrap<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Missing() }
  return value
}

/// One bit of a closed home's log turned, and how it was before.
package struct DamagedLog {
  package let path: String
  /// As the file is now.
  package let bytes: [UInt8]
  private let good: Data

  package init(of home: TestHome) throws {
    path = home.home.log + "/audit.log"
    good = try unwrap(FileManager.default.contents(atPath: path))
    var bytes = [UInt8](good)
    bytes[3] ^= 1
    self.bytes = bytes
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  package func mend() throws { try good.write(to: URL(fileURLWithPath: path)) }
}
