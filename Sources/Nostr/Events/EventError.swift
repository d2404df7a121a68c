public import JSON

/// The fields of an event, for errors.
public enum EventField: Sendable, Equatable {
  case id, pubkey, createdAt, kind, tags, content, signature
}

/// What is wrong with an event, a filter or a relay message. No case carries what the stranger wrote.
public enum EventError: Error, Equatable, Sendable {
  /// Not JSON, or a value of the wrong type; with the offset in bytes.
  case json(JSONError)
  /// A field that NIP-01 requires.
  case missing(EventField)
  /// A field that stands twice, at this offset in bytes.
  case duplicate(EventField, at: Int)
  /// Not the right number of lower-case hex digits, at this offset in bytes.
  case notHex(EventField, at: Int)
  /// A kind outside 0 to 65535, or a negative time; the value ends at this offset in bytes.
  case outOfRange(EventField, at: Int)
  /// More bytes of content, more tags or more items than the limit.
  case tooLarge(EventField, limit: Int)
  /// The id is not the hash of the event.
  case wrongID
  /// The signature is not the author's, or the author is no point of the curve.
  case invalidSignature
  /// An array that starts with none of the message names we know.
  case unknownMessage
  /// A message that ends too early.
  case missingElement(index: Int)
  /// A subscription id that is empty or has more than 64 characters.
  case malformedSubscription
  /// A filter value that is malformed, at this offset in bytes.
  case malformedFilter(at: Int)
  /// More filters, or more values in a filter, than the limit.
  case tooManyFilterValues(limit: Int)
}
