public import Testing

/// One case of a Wycheproof file, with its group's values.
public struct WycheproofCase: @unchecked Sendable, CustomTestStringConvertible {  // Sendable: the values are only read
  /// What the file says of the group: sizes, keys.
  public let group: [String: Any]
  private let values: [String: Any]

  init(group: [String: Any], values: [String: Any]) { (self.group, self.values) = (group, values) }

  /// `tcId`.
  public var id: Int { values["tcId"] as? Int ?? -1 }
  /// Why the case exists.
  public var comment: String { text("comment") }
  /// `valid`, `invalid` or `acceptable`.
  public var result: String { text("result") }
  /// Names of what the case is about.
  public var flags: [String] { values["flags"] as? [String] ?? [] }
  /// A text of the case; empty when it is not there.
  public func text(_ name: String) -> String { values[name] as? String ?? "" }
  /// A number of the case.
  public func number(_ name: String) -> Int? { values[name] as? Int }
  /// The bytes of a hex text of the case.
  public func bytes(_ name: String) -> [UInt8] { Self.bytes(text(name)) }
  /// For messages.
  public var testDescription: String { "tcId \(id), \(comment), \(result)" }

  /// The bytes of an even number of hex digits; none otherwise.
  public static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == hex.utf8.count, digits.count % 2 == 0 else { return [] }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

extension Vectors {
  /// All cases of a Wycheproof file, `wycheproof/….json`; checks that there are as many as the file and the manifest say.
  public static func wycheproof(_ path: String) throws -> [WycheproofCase] {
    let file = try object(path)
    let groups = try #require(file["testGroups"] as? [[String: Any]])
    let cases = groups.flatMap { group in
      (group["tests"] as? [[String: Any]] ?? []).map { WycheproofCase(group: group, values: $0) }
    }
    try #require(cases.count == file["numberOfTests"] as? Int)
    try checkCount(of: path, cases.count)
    return cases
  }
}
