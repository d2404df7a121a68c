internal import Curve
internal import Encodings
internal import JSON
internal import Vault

/// A guardian of ours, and the share he was given. Record kind guardian, id `g` · his key · kit · group · member.
struct GuardianNote: Sendable, Equatable {
  static let mark = UInt8(ascii: "g")

  let guardian: PublicKey
  /// The identity the share was sent by: to it a guardian turns when somebody asks.
  let identity: PublicKey
  let kit: String
  let group: Int
  let member: Int
  let delay: Int64
  let relays: [String]
  /// Seconds since 1970.
  let sent: Int64
  /// When he said that he keeps it.
  var kept: Int64?

  var id: [UInt8] { [Self.mark] + guardian.bytes.array + Array("\(kit).\(group).\(member)".utf8) }
  /// For commands.
  var name: String { "\(kit).\(group + 1).\(member + 1)-\(guardian.hex.prefix(8))" }
}

/// A share that is kept here for somebody. Record kind guardian, id `h` · owner · kit · group · member; the share itself is of kind
/// heldShare, under the same id.
struct HeldNote: Sendable, Equatable {
  static let mark = UInt8(ascii: "h")

  let owner: PublicKey
  /// The identity it was sent to.
  let identity: PublicKey
  let kit: String
  let group: Int
  let member: Int
  let delay: Int64
  let since: Int64

  var id: [UInt8] { [Self.mark] + owner.bytes.array + Array("\(kit).\(group).\(member)".utf8) }
  var name: String { "\(kit).\(group + 1).\(member + 1)-\(owner.hex.prefix(8))" }
}

/// Somebody asks for a share. Record kind shareRequest, id: the part played here, then the id of the rumor that asked.
struct ShareRequest: Sendable, Equatable {
  /// The part this vault plays.
  enum Part: String, Sendable {
    /// It keeps the share.
    case guardian = "i"
    /// It asked.
    case asker = "o"
    /// The share is its owner's.
    case owner = "n"
  }
  enum State: String, Sendable {
    /// The time runs, or the guardian has not said yes.
    case waiting
    /// The guardian said yes; it is given when the time is over.
    case approved
    case given, refused, cancelled
  }

  let part: Part
  let request: Bytes32
  /// The identity it was sent to or by.
  let identity: PublicKey
  /// Who is at the other end: who asked, or the guardian.
  let other: PublicKey
  /// For the guardian: whose share it is. For the owner: who asked.
  let third: PublicKey?
  let kit: String
  let note: String
  let at: Int64
  /// When it may be given at the earliest; 0 where nobody said yet.
  var until: Int64
  var state: State
  let relays: [String]
  /// For the asker: how many shares came.
  var shares = 0

  var id: [UInt8] { Array(part.rawValue.utf8) + request.array }
  var name: String { String(request.hex.prefix(16)) }
  var isOpen: Bool { state == .waiting || state == .approved }
}

// Values are JSON, for docs/GUARDIANS.md.

extension GuardianNote {
  var record: [UInt8] {
    JSONValue.object([
      .init("guardian", .string(guardian.hex)), .init("identity", .string(identity.hex)), .init("kit", .string(kit)),
      .init("group", .integer(Int64(group))), .init("member", .integer(Int64(member))), .init("delay", .integer(delay)),
      .init("relays", .array(relays.map { .string($0) })), .init("sent", .integer(sent)),
      .init("kept", kept.map { .integer($0) } ?? .null),
    ]).serialized()
  }

  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let guardian = value.key("guardian"), let identity = value.key("identity"),
      let kit = value["kit"]?.string, let group = value["group"]?.integer, let member = value["member"]?.integer,
      let delay = value["delay"]?.integer, let sent = value["sent"]?.integer
    else { return nil }
    self.init(
      guardian: guardian, identity: identity, kit: kit, group: Int(clamping: group), member: Int(clamping: member), delay: delay,
      relays: value.texts("relays"), sent: sent, kept: value["kept"]?.integer)
  }
}

extension HeldNote {
  var record: [UInt8] {
    JSONValue.object([
      .init("owner", .string(owner.hex)), .init("identity", .string(identity.hex)), .init("kit", .string(kit)),
      .init("group", .integer(Int64(group))), .init("member", .integer(Int64(member))), .init("delay", .integer(delay)),
      .init("since", .integer(since)),
    ]).serialized()
  }

  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let owner = value.key("owner"), let identity = value.key("identity"),
      let kit = value["kit"]?.string, let group = value["group"]?.integer, let member = value["member"]?.integer,
      let delay = value["delay"]?.integer, let since = value["since"]?.integer
    else { return nil }
    self.init(
      owner: owner, identity: identity, kit: kit, group: Int(clamping: group), member: Int(clamping: member), delay: delay,
      since: since)
  }
}

extension ShareRequest {
  var record: [UInt8] {
    JSONValue.object([
      .init("part", .string(part.rawValue)), .init("request", .string(request.hex)), .init("identity", .string(identity.hex)),
      .init("other", .string(other.hex)), .init("third", third.map { .string($0.hex) } ?? .null), .init("kit", .string(kit)),
      .init("note", .string(note)), .init("at", .integer(at)), .init("until", .integer(until)),
      .init("state", .string(state.rawValue)), .init("relays", .array(relays.map { .string($0) })),
      .init("shares", .integer(Int64(shares))),
    ]).serialized()
  }

  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let part = value["part"]?.string.flatMap(Part.init),
      let request = value["request"]?.string.flatMap({ Hex.decode($0) }).flatMap({ Bytes32($0) }),
      let identity = value.key("identity"), let other = value.key("other"), let kit = value["kit"]?.string,
      let at = value["at"]?.integer, let until = value["until"]?.integer, let state = value["state"]?.string.flatMap(State.init)
    else { return nil }
    self.init(
      part: part, request: request, identity: identity, other: other, third: value.key("third"), kit: kit,
      note: value["note"]?.string ?? "", at: at, until: until, state: state, relays: value.texts("relays"),
      shares: Int(clamping: value["shares"]?.integer ?? 0))
  }
}

extension JSONValue {
  fileprivate func key(_ name: String) -> PublicKey? {
    self[name]?.string.flatMap { Hex.decode($0) }.flatMap { Bytes32($0) }.map(PublicKey.init)
  }
  fileprivate func texts(_ name: String) -> [String] { (self[name]?.array ?? []).compactMap(\.string) }
}
