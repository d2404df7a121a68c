public import Encodings
import JSON

/// A message from a relay to a client (NIP-01, NIP-42).
public enum RelayMessage: Sendable {
  /// An event that a subscription asked for. Not verified.
  case event(subscription: String, Event)
  /// Whether the relay took an event; the text starts with a prefix such as `duplicate:` when it did not.
  case ok(id: Bytes32, accepted: Bool, message: String)
  /// All stored events of the subscription were sent.
  case endOfStored(subscription: String)
  /// The relay ended the subscription.
  case closed(subscription: String, message: String)
  /// A sentence for people.
  case notice(String)
  /// A challenge to answer by NIP-42.
  case auth(challenge: String)

  /// Reads one message that fills the whole text. Elements behind those of NIP-01 are passed over; the text of `OK` and
  /// `CLOSED` may be missing.
  public init(parsing text: UnsafeRawBufferPointer, limits: EventLimits = .standard) throws(EventError) {
    var reader = try MessageReader(text, limits)
    let name = try reader.name()
    if name.is("EVENT") {
      let subscription = try reader.subscription()
      self = .event(subscription: subscription, try reader.event())
    } else if name.is("OK") {
      let id = try reader.id()
      let accepted = try reader.bool()
      self = .ok(id: id, accepted: accepted, message: try reader.optionalString() ?? "")
    } else if name.is("EOSE") {
      self = .endOfStored(subscription: try reader.subscription())
    } else if name.is("CLOSED") {
      let subscription = try reader.subscription()
      self = .closed(subscription: subscription, message: try reader.optionalString() ?? "")
    } else if name.is("NOTICE") {
      self = .notice(try reader.optionalString() ?? "")
    } else if name.is("AUTH") {
      self = .auth(challenge: try reader.string())
    } else {
      throw .unknownMessage
    }
    try reader.end()
  }

  /// As above.
  public init(parsing text: [UInt8], limits: EventLimits = .standard) throws(EventError) {
    self = try text.withUnsafeBufferPointer { (bytes) throws(EventError) in
      try RelayMessage(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// The message as a JSON array.
  public func json() -> [UInt8] {
    switch self {
    case .event(let subscription, let event):
      MessageWriter.message("EVENT", reserving: event.estimatedSize + 96) {
        $0.string(subscription)
        event.write(to: &$0)
      }
    case .ok(let id, let accepted, let message):
      MessageWriter.message("OK") { writer in
        id.withUnsafeBytes { writer.hex($0) }
        writer.bool(accepted)
        writer.string(message)
      }
    case .endOfStored(let subscription): MessageWriter.message("EOSE") { $0.string(subscription) }
    case .closed(let subscription, let message):
      MessageWriter.message("CLOSED") {
        $0.string(subscription)
        $0.string(message)
      }
    case .notice(let text): MessageWriter.message("NOTICE") { $0.string(text) }
    case .auth(let challenge): MessageWriter.message("AUTH") { $0.string(challenge) }
    }
  }
}
