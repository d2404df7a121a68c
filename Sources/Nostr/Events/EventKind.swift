/// The kinds of event that Holdfast itself makes or treats apart (NIP-01 and the NIP named at each).
public enum EventKind {
  /// NIP-01: profile.
  public static let metadata = 0
  /// NIP-02: follow list.
  public static let follows = 3
  /// NIP-09: deletion request.
  public static let deletion = 5
  /// NIP-65: relay list.
  public static let relayList = 10002
  /// NIP-17: the relays for private messages.
  public static let messageRelays = 10050
  /// NIP-42: answer to a relay's challenge.
  public static let relayLogin = 22242
  /// NIP-46: remote signing.
  public static let remoteSigning = 24133
  /// NIP-98: HTTP login.
  public static let httpLogin = 27235
  /// NIP-78: application data.
  public static let applicationData = 30078

  /// What NIP-01 allows.
  public static let range = 0...65535

  /// Whether relays forward events of this kind without keeping them.
  public static func isEphemeral(_ kind: Int) -> Bool { (20000..<30000).contains(kind) }

  /// Whether a later event of one author takes an earlier one's place.
  public static func isReplaceable(_ kind: Int) -> Bool { kind == 0 || kind == 3 || (10000..<20000).contains(kind) }

  /// As `isReplaceable`, for each value of the `d` tag.
  public static func isAddressable(_ kind: Int) -> Bool { (30000..<40000).contains(kind) }
}
