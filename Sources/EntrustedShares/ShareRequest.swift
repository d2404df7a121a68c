package import Curve
package import Encodings
import JSON

/// A request for a share. Record kind shareRequest; the id is the part played here, then the id of the rumor that asked. On the owner's
/// side the guardian's key follows, so that no guardian overwrites what another reported.
package struct ShareRequest: Sendable, Equatable {
  /// The part this vault plays.
  package enum Part: String, Sendable {
    /// It keeps the share.
    case guardian = "i"
    /// It asked.
    case asker = "o"
    /// It owns the share.
    case owner = "n"
  }
  package enum State: String, Sendable {
    /// The waiting time has not ended, or the guardian has not agreed.
    case waiting
    /// The guardian agreed: it is given when the waiting time is over.
    case approved
    /// The waiting time is over and this is recorded in the log. The shares are being sent, and no relay has taken them yet.
    case giving
    case given, refused, cancelled
    /// A restore ended it, or the share is no longer kept.
    case lapsed
    /// Newer requests of the same standing took its place.
    case displaced
  }
  /// What the asker showed. It decides which requests get a place, but not which are answered.
  package enum Standing: String, Sendable {
    case unknown
    /// The kit's request code.
    case code
    /// The key that handed over the share.
    case owner
  }

  /// Who asks for the share.
  package var asker: PublicKey {
    switch part {
    case .guardian: other
    case .asker: identity
    case .owner: third ?? other
    }
  }

  package let part: Part
  package let request: Bytes32
  /// The identity it was sent to or by.
  package let identity: PublicKey
  /// The other party: the asker, or the guardian.
  package let other: PublicKey
  /// For the guardian: the share's owner. For the owner: the asker.
  package let third: PublicKey?
  package let kit: String
  package let note: String
  package let at: Int64
  /// When it will probably be given at the earliest, seconds since 1970; 0 if nobody has said yet. For the guardian, `wait`
  /// decides.
  package var until: Int64
  package var state: State
  package let relays: [String]
  /// For the asker: how many shares were received.
  package var shares: Int
  package var standing: Standing
  /// When it was written according to its author, but not later than its arrival.
  package var sent: Int64
  /// For the guardian: whether the owner was told of it.
  package var isTold: Bool
  /// For the guardian: its waiting time; nil while it has not begun.
  package var wait: Wait?
  /// For the owner: when the guardian wrote his newest message about it, seconds since 1970.
  package var heard: Int64

  /// A waiting time, in milliseconds as counted by `GuardianBook.counted(at:)`.
  package struct Wait: Sendable, Equatable {
    package let from: Int64
    /// The end that the owner was told.
    package let to: Int64

    package init(from: Int64, to: Int64) { (self.from, self.to) = (from, to) }
  }

  package init(
    part: Part, request: Bytes32, identity: PublicKey, other: PublicKey, third: PublicKey?, kit: String, note: String, at: Int64,
    until: Int64, state: State, relays: [String], shares: Int = 0, standing: Standing = .unknown, sent: Int64 = 0,
    isTold: Bool = true, wait: Wait? = nil, heard: Int64? = nil
  ) {
    (self.part, self.request, self.identity, self.other, self.third) = (part, request, identity, other, third)
    (self.kit, self.note, self.at, self.until, self.state) = (kit, note, at, until, state)
    (self.relays, self.shares, self.standing, self.sent) = (relays, shares, standing, sent)
    (self.isTold, self.wait, self.heard) = (isTold, wait, heard ?? sent)
  }

  package var id: [UInt8] { Self.id(part, request, guardian: other) }
  /// The id for commands: the first 16 hex digits of the request's id. On the owner's side, records of several guardians may share it.
  package var name: String { String(request.hex.prefix(16)) }

  /// The id of the record.
  /// - Parameter guardian: who reported the request; used on the owner's side only.
  package static func id(_ part: Part, _ request: Bytes32, guardian: PublicKey) -> [UInt8] {
    Array(part.rawValue.utf8) + request.array + (part == .owner ? guardian.bytes.array : [])
  }

  package var isOpen: Bool { state == .waiting || isAllowed }
  /// Whether the guardian agreed, and nothing ended the request since.
  package var isAllowed: Bool { state == .approved || state == .giving }
}

// The value is JSON, for docs/GUARDIANS.md.

extension ShareRequest {
  package var record: [UInt8] {
    JSONValue.object([
      .init("part", .string(part.rawValue)), .init("request", .string(request.hex)), .init("identity", .string(identity.hex)),
      .init("other", .string(other.hex)), .init("third", third.map { .string($0.hex) } ?? .null), .init("kit", .string(kit)),
      .init("note", .string(note)), .init("at", .integer(at)), .init("until", .integer(until)),
      .init("state", .string(state.rawValue)), .init("relays", .array(relays.map { .string($0) })),
      .init("shares", .integer(Int64(shares))), .init("standing", .string(standing.rawValue)), .init("sent", .integer(sent)),
      .init("told", .bool(isTold)), .init("from", wait.map { .integer($0.from) } ?? .null),
      .init("to", wait.map { .integer($0.to) } ?? .null), .init("heard", .integer(heard)),
    ]).serialized()
  }

  package init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let part = value["part"]?.string.flatMap(Part.init),
      let request = value["request"]?.string.flatMap({ Hex.decode($0) }).flatMap({ Bytes32($0) }),
      let identity = value.publicKey("identity"), let other = value.publicKey("other"), let kit = value["kit"]?.string,
      let at = value["at"]?.integer, let until = value["until"]?.integer, let state = value["state"]?.string.flatMap(State.init)
    else { return nil }
    self.init(
      part: part, request: request, identity: identity, other: other, third: value.publicKey("third"), kit: kit,
      note: value["note"]?.string ?? "", at: at, until: until, state: state, relays: value.texts("relays"),
      shares: Int(clamping: value["shares"]?.integer ?? 0),
      standing: value["standing"]?.string.flatMap(Standing.init) ?? .unknown, sent: value["sent"]?.integer ?? at,
      isTold: value["told"]?.bool ?? true, heard: value["heard"]?.integer)
    if let from = value["from"]?.integer, let to = value["to"]?.integer { wait = Wait(from: from, to: to) }
  }
}
