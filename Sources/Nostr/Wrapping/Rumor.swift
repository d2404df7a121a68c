import Curve
public import Encodings
import JSON

/// An event without a signature (NIP-59): its author can deny it, and a seal says whose it is.
public struct Rumor: Sendable {
  /// The unsigned event. Its id is its hash, as for every event.
  public let event: UnsignedEvent

  /// Any event that will not be signed.
  public init(_ event: UnsignedEvent) { self.event = event }

  /// The id, which both sides know the message by.
  public var id: Bytes32 { event.id() }

  /// One JSON object with an id and no signature, as NIP-59 writes it.
  public func json() -> [UInt8] {
    JSONValue.object([
      .init("id", .string(id.hex)), .init("pubkey", .string(event.pubkey.hex)), .init("created_at", .integer(event.createdAt)),
      .init("kind", .integer(Int64(event.kind))), .init("tags", .array(event.tags.map { .array($0.map { .string($0) }) })),
      .init("content", .string(event.content)),
    ]).serialized()
  }

  /// - Parameter text: from a stranger.
  /// - Throws: `.malformed`; `.signedRumor` for one with a signature, which could be shown around; `.wrongID` when an id is given that
  ///   is not the hash.
  init(parsing text: [UInt8], limits: EventLimits) throws(WrapError) {
    let template: EventTemplate
    do { template = try EventTemplate(parsing: text, limits: limits) } catch { throw .malformed }
    guard let author = template.pubkey, let createdAt = template.createdAt, let value = try? JSONValue(parsing: text) else {
      throw .malformed
    }
    guard value["sig"] == nil else { throw .signedRumor }
    event = template.unsigned(by: author, now: createdAt)
    if let given = value["id"] { guard given.string == id.hex else { throw .wrongID } }
  }
}

/// What is wrong with a gift-wrapped message. No case carries a part of it.
public enum WrapError: Error, Equatable, Sendable {
  /// Not a gift wrap of kind 1059 with a right id and signature.
  case notAWrap
  /// Not for this key, or its encryption was changed.
  case notOpened
  /// The content is not a seal of kind 13 with a right id and signature, or it has tags, which a seal must not.
  case notASeal
  /// The content of the seal cannot be read.
  case malformed
  /// The rumor carries a signature.
  case signedRumor
  /// The rumor's id is not its hash.
  case wrongID
  /// The rumor names another author than the signer of the seal.
  case otherAuthor
  /// More bytes than the limit.
  case tooLong(limit: Int)
  /// A library refused a call that should not fail, or memory is short.
  case failed
}
