import JSON
public import Nostr

/// Where payments to a person go, as the person's profile (kind 0, NIP-01) says.
///
/// Clients read `lud16` and `lud06` of its content, but also fields and tags that no NIP names, such as `cryptocurrency_addresses` or a tag
/// `w`. So each field and tag counts that is not known to be something else.
public struct PaymentAddresses: Hashable, Sendable {
  /// A field or tag by its name in lower case, since some clients read a name whatever its case, and what it holds.
  private struct Entry: Hashable {
    let name: String
    let value: String
  }

  private let entries: Set<Entry>
  /// Whether it is known what a client reads. A profile with a name twice, for example, or with something before its first brace, is read
  /// differently by different clients.
  private let isReadable: Bool

  /// - Parameter profile: the event. Its kind is not checked.
  public init(profile: EventTemplate) {
    let members = (try? JSONValue(parsing: Array(profile.content.utf8)))?.members
    isReadable = members != nil || !profile.content.utf8.contains(where: Self.signsOfJSON.contains)
    let fields = (members ?? []).filter { Self.mayDirect(field: $0.key) }.map { member in
      Entry(name: member.key.lowercased(), value: member.value.string ?? Self.text(member.value))
    }
    let tags = profile.tags.filter(Self.mayDirect(tag:)).map { tag in
      Entry(name: "#" + (tag.first ?? "").lowercased(), value: Self.text(.array(tag.map { .string($0) })))
    }
    entries = Set((fields + tags).filter { !$0.value.isEmpty })
  }

  /// Whether this profile names an address that the earlier one does not have, lacks one that the earlier one has, or could be read either way.
  /// - Parameter earlier: of the profile so far. Nil when none is known: nobody knows then what this one lacks.
  public func differ(from earlier: PaymentAddresses?) -> Bool {
    !isReadable || entries != earlier?.entries ?? []
  }

  /// Whether some client may take a payment address from this field of a profile's content.
  public static func mayDirect(field name: String) -> Bool { !otherFields.contains(name.lowercased()) }

  /// Whether some client may take a payment address from this tag of a profile.
  public static func mayDirect(tag: [String]) -> Bool { !otherTags.contains(tag.first?.lowercased() ?? "") }

  private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }

  /// Characters of JSON. A text without any of them has no field that a client could find.
  private static let signsOfJSON = Set("{\"\\".utf8)
  /// NIP-01, NIP-05, NIP-24, and what clients write beside them that is about no payment. In lower case.
  private static let otherFields: Set = [
    "name", "display_name", "displayname", "username", "about", "bio", "picture", "image", "banner", "website", "nip05",
    "nip05valid",
    "bot", "birthday", "pronouns", "gender", "location", "language", "languages", "lang", "created_at", "pubkey", "npub",
    "deleted",
    "is_deleted",
  ]
  /// NIP-31, NIP-39, NIP-24, NIP-30, NIP-70, NIP-13 and NIP-89. A tag `zap` is asked about by itself.
  private static let otherTags: Set = ["alt", "i", "p", "e", "a", "t", "emoji", "-", "nonce", "client", "zap"]
}
