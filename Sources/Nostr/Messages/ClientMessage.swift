import JSON

/// A message from a client to a relay (NIP-01, NIP-42).
public enum ClientMessage: Sendable {
  /// An event to publish. Not verified.
  case event(Event)
  /// A subscription to all events that match at least one filter.
  case request(subscription: String, filters: [Filter])
  /// The end of a subscription.
  case close(subscription: String)
  /// The answer to a relay's challenge. Not verified.
  case auth(Event)

  /// Reads one message that fills the whole text. Elements behind those of NIP-01 are passed over.
  public init(parsing text: UnsafeRawBufferPointer, limits: EventLimits = .standard) throws(EventError) {
    var reader = try MessageReader(text, limits)
    let name = try reader.name()
    if name.is("EVENT") {
      self = .event(try reader.event())
    } else if name.is("REQ") {
      let subscription = try reader.subscription()
      self = .request(subscription: subscription, filters: try reader.filters())
    } else if name.is("CLOSE") {
      self = .close(subscription: try reader.subscription())
    } else if name.is("AUTH") {
      self = .auth(try reader.event())
    } else {
      throw .unknownMessage
    }
    try reader.end()
  }

  /// As above.
  public init(parsing text: [UInt8], limits: EventLimits = .standard) throws(EventError) {
    self = try text.withUnsafeBufferPointer { (bytes) throws(EventError) in
      try ClientMessage(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// The message as a JSON array.
  public func json() -> [UInt8] {
    switch self {
    case .event(let event):
      MessageWriter.message("EVENT", reserving: event.estimatedSize + 16) { event.write(to: &$0) }
    case .request(let subscription, let filters):
      MessageWriter.message("REQ") { writer in
        writer.string(subscription)
        for filter in filters { filter.write(to: &writer) }
      }
    case .close(let subscription): MessageWriter.message("CLOSE") { $0.string(subscription) }
    case .auth(let event):
      MessageWriter.message("AUTH", reserving: event.estimatedSize + 16) { event.write(to: &$0) }
    }
  }
}
