public import Encodings
public import JSON
public import Nostr

/// What a push says about a request: the relay that has it, and the request itself if it fitted into the push.
///
/// A push proxy makes it; anybody who knows a device's push address can send one. It proves nothing: the engine checks the request like any
/// other, and no relay is asked that no app or link of the signer names (`SigningEngine.knows`).
public struct PushPayload: Sendable {
  /// The longest payload, in bytes. Apple's pushes have at most 4096.
  public static let longest = 64 << 10
  /// The most JSON values in it, with those that are passed over.
  public static let mostValues = 4096

  /// The relay that has the request, and that gets the answer.
  public let relay: RelayURL
  /// The request event's id.
  public let eventID: Bytes32
  /// The request. Neither its id nor its signature is checked. Nil if it must be fetched.
  public let event: Event?
  /// The remote-signer key that the request is for, as the push says: any text. Nil if it does not say.
  public let signer: String?

  /// Reads `{"relay_url":…,"event_id":…,"signer_pubkey":…,"event":{…}}`. It needs `relay_url`, and `event_id` or `event`. Other members,
  /// such as Apple's `aps`, are passed over.
  /// - Parameter payload: a stranger's bytes.
  /// - Throws: the first fault found.
  public init(parsing payload: [UInt8]) throws(PushPayloadError) {
    guard payload.count <= Self.longest else { throw .tooLong(limit: Self.longest) }
    guard let value = try? JSONValue(parsing: payload, limits: JSONLimits(bytes: Self.longest, values: Self.mostValues)) else {
      throw .malformed
    }
    try self.init(value)
  }

  /// The same for a payload that was read as JSON already.
  /// - Parameter value: of a stranger. The caller bounds its size.
  /// - Throws: the first fault found.
  public init(_ value: JSONValue) throws(PushPayloadError) {
    guard value["relay_url"] != nil else { throw .relayMissing }
    guard let url = value["relay_url"]?.string, let relay = RelayURL(url) else { throw .relayMalformed }
    self.relay = relay
    signer = value["signer_pubkey"]?.string
    let named = try value["event_id"].map { member throws(PushPayloadError) in try Self.id(member.string ?? "") }
    event = try value["event"].flatMap { member throws(PushPayloadError) in try Self.event(member) }
    guard let id = named ?? event?.id else { throw .eventMissing }
    guard event?.id ?? id == id else { throw .eventIDMalformed }
    eventID = id
  }

  /// The id of an event as pushes write it.
  /// - Throws: `.eventIDMalformed` for a text that is not 64 lower-case hex digits.
  public static func id(_ text: String) throws(PushPayloadError) -> Bytes32 {
    guard let id = Bytes32(hex: text), id.hex == text else { throw .eventIDMalformed }
    return id
  }

  private static func event(_ member: JSONValue) throws(PushPayloadError) -> Event? {
    if case .null = member { return nil }
    guard let event = try? Event(parsing: member.serialized()) else { throw .eventMalformed }
    return event
  }
}

/// What is wrong with a push. No case carries any of its text.
public enum PushPayloadError: Error, Hashable, Sendable {
  /// Longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// No JSON, or with too many values.
  case malformed
  /// `relay_url` is missing.
  case relayMissing
  /// `relay_url` is not the address of a relay.
  case relayMalformed
  /// Both `event_id` and `event` are missing.
  case eventMissing
  /// `event_id` is not 64 lower-case hex digits, or is not the id that `event` has.
  case eventIDMalformed
  /// `event` is not an event of NIP-01.
  case eventMalformed
}
