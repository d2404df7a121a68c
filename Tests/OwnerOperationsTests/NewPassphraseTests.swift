import DaemonSupport
import JSON
import OwnerAPI
import SecretMemory
import Testing

@testable import OwnerOperations
@testable import Signer

@Suite("Help with a new passphrase") struct NewPassphraseTests {
  private static func answer(_ operation: String, secrets: [String: String] = [:]) throws -> ControlResult {
    let signer = try Signer()
    defer { signer.close() }
    return try signer.operations.perform(ControlRequest(operation, [:], secrets: secrets.mapValues(box)), via: .command)
  }

  private static func suggested() throws -> String {
    try #require(try answer("passphrase/suggest").texts("passphrase").first).withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A suggested passphrase has seven words, is new each time, and has nothing plainly weak") func suggestedPassphrase()
    throws
  {
    let (first, second) = (try Self.suggested(), try Self.suggested())
    #expect(first.split(separator: " ", omittingEmptySubsequences: false).count == 7)
    #expect(first.utf8.allSatisfy { $0 == UInt8(ascii: " ") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    #expect(first != second)
    #expect(try Self.answer("passphrase/check", secrets: ["new_passphrase": first]).json["remark"] == .null)
  }

  @Test("A weak passphrase gets a remark, and the answer does not repeat it") func weakPassphrase() throws {
    let answer = try Self.answer("passphrase/check", secrets: ["new_passphrase": "1357924680135"])
    let remark = try #require(answer.json["remark"]?.string)
    #expect(remark.hasPrefix("This passphrase has digits only."))
    #expect(!remark.contains("1357924680135"))
  }
}
