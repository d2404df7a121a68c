import Encodings

/// What is known of an identity's latest profile and lists that were signed here. New ones are compared with them.
struct KnownLists: Sendable {
  /// The follow list that counts as the earlier one.
  var follows: FollowList?
  /// Where payments go, as the profile says.
  var payment: PaymentAddresses?
  /// The relays of its relay lists (kinds 10002 and 10050), by kind, in one way of writing.
  var relays: [Int: Set<String>] = [:]
  /// The ids of the last profiles and lists signed here, by kind.
  var signed: [Int: Set<Bytes32>] = [:]
  /// The owner's own relays, in the same way of writing.
  var ownersRelays: Set<String> = []

  /// Whether a login to this relay needs no question: a relay of the owner's or of the identity's own lists. One that an app brought
  /// along in its link is not.
  func isKnown(_ scope: PermissionScope?, to pairing: Pairing) -> Bool {
    guard case .relay(let relay) = scope else { return false }
    if ownersRelays.contains(relay) || relays.values.contains(where: { $0.contains(relay) }) { return true }
    return pairing.hasOwnersRelays && pairing.relays.contains { LoginAddress.relay($0.text) == relay }
  }
}
