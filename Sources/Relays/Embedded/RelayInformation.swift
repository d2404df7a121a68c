import JSON
import Sockets

extension EmbeddedRelay {
  /// The relay's description of itself (NIP-11), as JSON.
  /// - Parameter version: the software's version.
  public func information(version: String) -> [UInt8] {
    JSONValue.object([
      .init("name", "Holdfast signing relay"),
      .init(
        "description", "A private relay for NIP-46 remote signing. It accepts only kind 24133 and keeps events for ten minutes."),
      .init("supported_nips", login == nil ? [1, 11, 46] : [1, 11, 42, 46]), .init("software", "holdfast"),
      .init("version", .string(version)),
      .init(
        "limitation",
        .object([
          .init("max_message_length", .integer(Int64(limits.messageBytes))),
          .init("max_subscriptions", .integer(Int64(limits.subscriptions))),
          .init("max_subid_length", .integer(Int64(limits.subscriptionName))),
          .init("max_event_tags", .integer(Int64(limits.tags))), .init("auth_required", .bool(login != nil)),
          .init("payment_required", false), .init("restricted_writes", true),
          .init("created_at_lower_limit", .integer(limits.clockDifference)),
          .init("created_at_upper_limit", .integer(limits.clockDifference)),
        ])),
      .init(
        "retention",
        .array([.object([.init("kinds", [24133]), .init("time", .integer(limits.keptSeconds))]), .object([.init("time", 0)])])),
    ]).serialized()
  }
}
