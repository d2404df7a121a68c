package import Curve
import Encodings
import JSON

/// A share that one person keeps for another, as either of them records it. Record kind guardian; the id is made of the side, the other's
/// key, kit, group and member, and a variant if another share of the same place came first. The words of a share that is kept here are a
/// record of kind heldShare with the same id.
package struct EntrustedShare: Sendable, Equatable {
  package enum Side: UInt8, Sendable {
    /// The share is ours, and a guardian has it.
    case given = 0x67  // g
    /// It is kept here for its owner.
    case kept = 0x68  // h

    /// The record's member names for the other person and for the time.
    fileprivate var names: (other: String, at: String) { self == .given ? ("guardian", "sent") : ("owner", "since") }
  }

  package let side: Side
  /// The guardian, or the owner.
  package let other: PublicKey
  /// Our identity that sent or took it. Envelopes about it go to and from this identity.
  package let identity: PublicKey
  package let kit: String
  /// From 0 on, as `member`.
  package let group: Int
  package let member: Int
  /// How long whoever asks for it has to wait, in seconds.
  package let delay: Int64
  /// When it was sent or taken, seconds since 1970.
  package let at: Int64
  /// For the owner: relays where the guardian listens.
  package var relays: [String]
  /// For the owner: when the guardian said that he keeps it.
  package var confirmed: Int64?
  /// For the guardian: the code that marks the owner's own requests, and when the owner set it.
  package var code: RequestCode?
  package var codeSet: Int64 = 0
  /// For the guardian: distinguishes it from another share that claims the same place in the kit; empty for the first.
  package var variant = ""
  /// For the guardian: it was sent, but the person here has not decided yet whether to keep it. It is never given back, and counts for nothing.
  package var isOffered = false
  /// For the guardian: when its envelope was written, according to the envelope.
  package var sent: Int64 = 0

  package init(
    side: Side, other: PublicKey, identity: PublicKey, kit: String, group: Int, member: Int, delay: Int64, at: Int64,
    relays: [String] = [], confirmed: Int64? = nil, code: RequestCode? = nil, codeSet: Int64 = 0, variant: String = "",
    isOffered: Bool = false, sent: Int64 = 0
  ) {
    (self.side, self.other, self.identity, self.kit) = (side, other, identity, kit)
    (self.group, self.member, self.delay, self.at) = (group, member, delay, at)
    (self.relays, self.confirmed, self.code, self.codeSet) = (relays, confirmed, code, codeSet)
    (self.variant, self.isOffered, self.sent) = (variant, isOffered, sent)
  }

  package var id: [UInt8] {
    [side.rawValue] + other.bytes.array + Array(place.utf8) + (variant.isEmpty ? [] : Array(".\(variant)".utf8))
  }
  /// Its place in the kit.
  package var place: String { "\(kit).\(group).\(member)" }
  /// The name for commands: `6435.1.2-9f3c01ab77e0d1c2`, or `6435.1.2-from-9f3c01ab77e0d1c2` for a share that is kept here. It has 64 bits of
  /// the other's key, so that nobody can search for a key with the same name.
  package var name: String {
    let side = side == .given ? "" : "from-"
    return "\(kit).\(group + 1).\(member + 1)-\(side)\(other.hex.prefix(16))" + (variant.isEmpty ? "" : "-\(variant.prefix(8))")
  }
}

// The value is JSON, for docs/GUARDIANS.md.

extension EntrustedShare {
  package var record: [UInt8] {
    let names = side.names
    var members: [JSONValue.Member] = [
      .init(names.other, .string(other.hex)), .init("identity", .string(identity.hex)), .init("kit", .string(kit)),
      .init("group", .integer(Int64(group))), .init("member", .integer(Int64(member))), .init("delay", .integer(delay)),
      .init(names.at, .integer(at)),
    ]
    switch side {
    case .given:
      members.append(.init("relays", .array(relays.map { .string($0) })))
      members.append(.init("kept", confirmed.map { .integer($0) } ?? .null))
    case .kept:
      if let code { members += [.init("code", .string(code.text)), .init("code_set", .integer(codeSet))] }
      members += [.init("variant", .string(variant)), .init("offered", .bool(isOffered)), .init("sent", .integer(sent))]
    }
    return JSONValue.object(members).serialized()
  }

  /// - Parameter id: the record's id, which says which side this vault is on.
  package init?(id: [UInt8], record: [UInt8]) {
    guard let side = id.first.flatMap(Side.init), let value = try? JSONValue(parsing: record),
      let other = value.publicKey(side.names.other), let identity = value.publicKey("identity"), let kit = value["kit"]?.string,
      let group = value["group"]?.integer, let member = value["member"]?.integer, let delay = value["delay"]?.integer,
      let at = value[side.names.at]?.integer
    else { return nil }
    self.init(
      side: side, other: other, identity: identity, kit: kit, group: Int(clamping: group), member: Int(clamping: member),
      delay: delay, at: at, relays: value.texts("relays"), confirmed: value["kept"]?.integer,
      code: value["code"]?.string.flatMap(RequestCode.init), codeSet: value["code_set"]?.integer ?? 0,
      variant: value["variant"]?.string ?? "", isOffered: value["offered"]?.bool ?? false, sent: value["sent"]?.integer ?? at)
  }
}

extension JSONValue {
  /// A member that is a public key in hex.
  package func publicKey(_ name: String) -> PublicKey? {
    self[name]?.string.flatMap { Hex.decode($0) }.flatMap { Bytes32($0) }.map(PublicKey.init)
  }
  /// The texts of a member that is a list.
  func texts(_ name: String) -> [String] { (self[name]?.array ?? []).compactMap(\.string) }
}
