import JSON

/// Where payments to a person go, as the person's profile (kind 0, NIP-01) says: its `lud16` and `lud06`.
public struct PaymentAddresses: Hashable, Sendable {
  private let addresses: Set<String>
  /// Whether it is known what a client reads. A profile with a name twice, for example, or with something before its first brace, is read
  /// differently by different clients.
  private let isReadable: Bool

  /// - Parameter profile: the content of the event.
  public init(profile: String) {
    let members = (try? JSONValue(parsing: Array(profile.utf8)))?.members
    isReadable = members != nil || !profile.utf8.contains(where: Self.signsOfJSON.contains)
    addresses = Set(
      (members ?? []).filter { Self.fields.contains($0.key.lowercased()) }.map { member in
        member.value.string ?? String(decoding: member.value.serialized(), as: UTF8.self)
      }.filter { !$0.isEmpty })
  }

  /// Whether this profile names an address that the earlier one does not have, or could be read that way.
  /// - Parameter earlier: of the profile so far. Nil when none is known.
  public func differ(from earlier: PaymentAddresses?) -> Bool {
    !isReadable || !addresses.isSubset(of: earlier?.addresses ?? [])
  }

  /// Characters of JSON. A text without any of them has no field that a client could find.
  private static let signsOfJSON = Set("{\"\\".utf8)
  /// In lower case: some clients read a name whatever its case.
  private static let fields: Set = ["lud16", "lud06"]
}
