import Foundation
import Nostr
import Testing

/// The table of kinds: complete, and without contradiction.
@Suite struct KindTableTests {
  /// The kinds of the standards' own list (README of the NIPs, autumn 2026), ranges by both ends.
  static let listed: [ClosedRange<Int>] =
    [
      0, 1, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 15, 16, 17, 20, 21, 22, 24, 30, 31, 32, 33, 40, 41, 42, 43, 44, 54, 62, 64, 78, 443,
      444,
      445, 818, 1018, 1021, 1022, 1040, 1059, 1063, 1068, 1111, 1222, 1234, 1244, 1311, 1337, 1617, 1618, 1619, 1621, 1622, 1971,
      1984, 1985, 1987, 2003, 2004, 2022, 4550, 7374, 7375, 7376, 7516, 7517, 8000, 8001, 9041, 9321, 9734, 9735, 9802, 10000,
      10001,
      10002, 10003, 10004, 10005, 10006, 10007, 10008, 10009, 10011, 10012, 10013, 10015, 10019, 10020, 10030, 10050, 10051,
      10054,
      10063, 10064, 10096, 10154, 10166, 10312, 13194, 13534, 15128, 17375, 22242, 23194, 23195, 24133, 24242, 27235, 28934,
      28935,
      28936, 30000, 30002, 30003, 30004, 30005, 30006, 30007, 30008, 30009, 30015, 30017, 30018, 30019, 30020, 30023, 30024,
      30030,
      30040, 30041, 30063, 30078, 30166, 30267, 30311, 30312, 30313, 30315, 30382, 30383, 30384, 30402, 30403, 30617, 30618,
      30818,
      30819, 31234, 31922, 31923, 31924, 31925, 31989, 31990, 32267, 34128, 34235, 34236, 34550, 35128, 37516, 38172, 38173,
      38383,
      39078, 39079, 39080, 39089, 39092, 39701,
    ].map { $0...$0 } + [1630...1633, 9000...9030, 39000...39009]

  @Test("Every event kind of the Nostr standards is in the table", arguments: listed)
  func knowsTheStandardsKinds(kinds: ClosedRange<Int>) {
    for kind in kinds {
      #expect(KindTable.isKnown(kind), "kind \(kind)")
      #expect(KindTable.effect(of: kind) != .unknown, "kind \(kind)")
    }
  }

  @Test("Each kind is in the table once and has a description")
  func isWithoutContradiction() {
    for (earlier, later) in zip(KindTable.entries, KindTable.entries.dropFirst()) {
      #expect(earlier.kinds.upperBound < later.kinds.lowerBound, "\(earlier.kinds) and \(later.kinds)")
    }
    for entry in KindTable.entries {
      #expect(EventKind.range.contains(entry.kinds.lowerBound) && EventKind.range.contains(entry.kinds.upperBound))
      #expect(!entry.name.isEmpty && !entry.title.isEmpty && !entry.many.isEmpty && entry.effect != .unknown)
      #expect(KindTable.entry(for: entry.kinds.upperBound).name == entry.name)
    }
  }

  @Test("Kinds that move money are always asked; unknown kinds are asked under medium trust")
  func caresByEffect() {
    for entry in KindTable.entries {
      switch entry.effect {
      case .money: #expect(entry.care == .dayAtMost, "\(entry.kinds)")
      case .login: #expect(entry.care == .byPlace, "\(entry.kinds)")
      case .destruction, .keyHandling, .profile: #expect(entry.care >= .guarded && entry.care != .byPlace, "\(entry.kinds)")
      case .ordinary, .list: #expect(entry.care <= .guarded, "\(entry.kinds)")
      case .unknown: Issue.record("\(entry.kinds)")
      }
    }
    for kind in [2, 777, 12_345, 20_001, 45_000, 65_535] {
      #expect(KindTable.effect(of: kind) == .unknown && KindTable.care(for: kind) == .guarded)
      #expect(KindTable.entry(for: kind).name == "kind \(kind)")
    }
  }

  @Test("Retired kinds that move money are asked, too", arguments: [21000, 37375])
  func oldMoneyIsAsked(kind: Int) {
    #expect(KindTable.effect(of: kind) == .money && KindTable.care(for: kind) == .dayAtMost)
  }

  @Test(
    "Under medium trust the owner is asked about relay lists, file server lists and payment recipients",
    arguments: [
      10002, 10006, 10007, 10012, 10013, 10050, 10051, 10063, 10096, 10102, 30002, 9041, 6969, 9022, 28936, 38000, 38172, 38173,
    ])
  func whereThingsGoIsAsked(kind: Int) { #expect(KindTable.care(for: kind) == .guarded) }

  @Test("Everyday kinds need no approval under medium trust")
  func ordinaryKindsPass() {
    for kind in [
      1, 4, 6, 7, 9, 13, 16, 20, 42, 1059, 1063, 1068, 1111, 1311, 1984, 9734, 9802, 10000, 10003, 30000, 30023, 30315, 31923,
    ] {
      #expect(KindTable.care(for: kind) == .usual, "kind \(kind)")
    }
  }
}

/// docs/KINDS.md is generated from the table. With `HOLDFAST_WRITE_DOCS` in the environment, this test writes it.
@Suite struct KindsPageTests {
  private static let page = #filePath.replacing("Tests/NostrTests/KindTableTests.swift", with: "docs/KINDS.md")

  private static var text: String {
    let rows = KindTable.entries.map { entry in
      let kinds = entry.kinds.count == 1 ? "\(entry.kinds.lowerBound)" : "\(entry.kinds.lowerBound)-\(entry.kinds.upperBound)"
      return "| \(kinds) | \(entry.name) | \(entry.effect.rawValue) | \(words(entry.care)) |"
    }
    return """
      # Kinds

      This page says what signing an event of each kind does, and when the owner is asked. It is generated from the table in
      `Sources/Nostr/Kinds`, which also decides the rules, the words on the screen, the buttons on the desktop, and what can be answered
      together. The table has every kind of the list in the NIPs. A kind that is not here is asked under medium trust.

      "Does" is one of: `ordinary` (says something in public or in private), `list` (replaces a list), `profile` (replaces how others see or
      reach you), `login` (signs you in somewhere), `money` (spends money, holds it, or says where it goes), `destruction` (deletes events or
      removes people), `key-handling` (acts for the key itself).

      "Asked" is the highest trust at which the owner is still asked. Under low trust everything is asked.

      | kind | name | does | asked |
      |---|---|---|---|

      """ + rows.joined(separator: "\n") + "\n"
  }

  private static func words(_ care: KindCare) -> String {
    switch care {
    case .usual: "under low trust"
    case .guarded: "under medium trust"
    case .byPlace: "by what it names ([Approvals](APPROVALS.md))"
    case .dayAtMost: "under every trust; allowed for a day at most"
    case .eachTime: "under every trust, each time"
    }
  }

  @Test("The documentation of kinds matches the table")
  func pageIsOfTheTable() throws {
    if ProcessInfo.processInfo.environment["HOLDFAST_WRITE_DOCS"] != nil {
      try Data(Self.text.utf8).write(to: URL(filePath: Self.page))
    }
    let page = try String(decoding: Data(contentsOf: URL(filePath: Self.page)), as: UTF8.self)
    #expect(page == Self.text, "HOLDFAST_WRITE_DOCS=1 swift test --filter pageIsOfTheTable writes it")
  }
}
