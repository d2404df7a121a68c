import Encodings
import JSON
package import WebPush

/// A browser or phone that gets Web Push, as it is stored.
package struct PushSubscription: Sendable {
  /// The longest label, in bytes.
  package static let longestLabel = 64

  /// 16 hex digits.
  package let id: String
  package let receiver: PushReceiver
  /// What the owner calls it.
  package var label: String
  /// Seconds since 1970.
  package let made: Int64
  /// When a message was last taken by the push service, seconds since 1970.
  package var lastOK: Int64?
  /// What went wrong since, in words of our own.
  package var lastError: String?

  init(id: String, receiver: PushReceiver, label: String, made: Int64) {
    (self.id, self.receiver, self.label, self.made) = (id, receiver, label, made)
  }

  /// - Returns: nil for bytes that another program, or a newer version, wrote.
  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let id = value["id"]?.string, let label = value["label"]?.string,
      let made = value["made"]?.integer, let endpoint = value["endpoint"]?.string.flatMap({ try? PushEndpoint(parsing: $0) }),
      let key = value["p256dh"]?.string.flatMap(Base64URL.decode), let auth = value["auth"]?.string.flatMap(Base64URL.decode),
      let receiver = try? PushReceiver(endpoint: endpoint, key: key, auth: auth)
    else { return nil }
    self.init(id: id, receiver: receiver, label: label, made: made)
    (lastOK, lastError) = (value["last_ok"]?.integer, value["last_error"]?.string)
  }

  /// For the vault.
  var record: [UInt8] {
    JSONValue.object([
      .init("id", .string(id)), .init("endpoint", .string(receiver.endpoint.text)),
      .init("p256dh", .string(Base64URL.string(receiver.key))), .init("auth", .string(Base64URL.string(receiver.auth))),
      .init("label", .string(label)), .init("made", .integer(made)), .init("last_ok", lastOK.map { .integer($0) } ?? .null),
      .init("last_error", lastError.map { .string($0) } ?? .null),
    ]).serialized()
  }
}
