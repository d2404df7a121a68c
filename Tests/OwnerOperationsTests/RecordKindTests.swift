import Foundation
import Testing

@testable import OwnerOperations
@testable import Signer
@testable import Vault
@testable import VaultRepair

/// The kinds of records of all modules, and the table of them in docs/FORMATS.md.
@Suite struct RecordKindTests {
  private struct Row: Hashable, Comparable {
    let number: UInt16
    let name: String
    let isSecret: Bool

    static func < (left: Row, right: Row) -> Bool { left.number < right.number }
  }

  private static let page = #filePath.replacing("Tests/OwnerOperationsTests/RecordKindTests.swift", with: "docs/FORMATS.md")

  /// The rows of the table whose first column is headed `number`.
  private static func documented() throws -> [Row] {
    let lines = try String(contentsOfFile: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.drop { !$0.hasPrefix("| number | kind | secret |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    return try table.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return Row(number: try #require(UInt16(cells[0])), name: cells[1], isSecret: cells[2] == "yes")
    }
  }

  @Test("The table of record kinds in FORMATS.md is the one that the modules declare")
  func tableIsWhatIsDeclared() throws {
    let declared = RecordKinds.holdfast.all.map { Row(number: $0.rawValue, name: "\($0.name)", isSecret: $0.isSecret) }
    let documented = try Self.documented()
    #expect(documented == documented.sorted() && !documented.isEmpty)
    #expect(Set(declared).symmetricDifference(documented) == [])
  }

  @Test("No number and no name stands for two kinds")
  func numbersAndNamesAreUnique() throws {
    let documented = try Self.documented()
    #expect(Set(documented.map(\.number)).count == documented.count)
    #expect(Set(RecordKinds.holdfast.all.map { "\($0.name)" }).count == RecordKinds.holdfast.all.count)
  }

  @Test("What the loss of a record means is known for every kind")
  func everyLossHasAMeaning() {
    var damage = VaultDamage()
    damage.unproven = Set(RecordKinds.holdfast.all).subtracting([.summary])
    for loss in LostRecord.all(damage, [:]) { #expect(!loss.meaning.contains("does not know what it was"), "\(loss.kind)") }
  }
}
