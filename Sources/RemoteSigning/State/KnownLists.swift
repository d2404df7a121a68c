/// What is known of an identity's lists because they were signed here: what a new one is compared with.
struct KnownLists: Sendable {
  /// The follow list that counts as the earlier one.
  var follows: FollowList?
  /// The relays of its relay list (kind 10002), in one way of writing.
  var relays: Set<String> = []
}
