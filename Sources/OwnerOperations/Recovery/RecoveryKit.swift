import Curve
import Encodings
import JSON
import Mnemonics

/// What is stored of a recovery kit: everything except its shares, which are not kept here.
struct RecoveryKit: Sendable {
  /// What the combined shares give.
  enum Content: Sendable, Equatable {
    /// A secret that opens a slot of this vault.
    case slot(UInt32)
    /// The key of an identity.
    case key(PublicKey)
    /// The entropy of the English words that an identity's key was derived from, with the account.
    case words(PublicKey, account: UInt32)
  }

  /// The longest label, in bytes.
  static let longestLabel = 64

  /// The kit's number, the same on every share: 15 bits, four hex digits for people.
  let identifier: UInt16
  let content: Content
  let plan: SharePlan
  /// The owner's name for it; may be empty.
  let label: String
  /// Seconds since 1970.
  let made: Int64
  /// Whether a recovery code is needed in addition to the shares (SLIP-39's passphrase).
  var hasCode = false
  /// Whether its shares reached somebody, as far as is known. True for kits that were made before this was stored.
  var isHandedOut = true
  /// When a test last showed that a set of its shares restores it, seconds since 1970.
  var lastTested: Int64?

  var id: String { Self.id(identifier) }

  static func id(_ identifier: UInt16) -> String { Hex.encode(recordID(identifier)) }

  /// The account of the words, if the kit holds words.
  var account: UInt32? { if case .words(_, let account) = content { account } else { nil } }

  var identity: PublicKey? {
    switch content {
    case .slot: nil
    case .key(let key), .words(let key, _): key
    }
  }

  /// Whether the numbers on shares match this kit.
  func isKit(of numbers: ShareNumbers) -> Bool {
    numbers.identifier == identifier && numbers.groupThreshold == plan.groupThreshold && numbers.groupCount == plan.groups.count
  }
}

// The record: id = the identifier's two bytes; value = JSON, for docs/FORMATS.md.
extension RecoveryKit {
  var recordID: [UInt8] { Self.recordID(identifier) }

  static func recordID(_ identifier: UInt16) -> [UInt8] { [UInt8(identifier >> 8), UInt8(identifier & 0xff)] }

  var record: [UInt8] {
    var members = details
    members.insert(.init("v", 1), at: 0)
    switch content {
    case .slot(let slot): members.append(.init("slot", .integer(Int64(slot))))
    case .key(let key): members += [.init("identity", .string(key.hex)), .init("holds", "key")]
    case .words(let key, let account):
      members += [
        .init("identity", .string(key.hex)), .init("holds", "words"), .init("account", .integer(Int64(account))),
      ]
    }
    return JSONValue.object(members).serialized()
  }

  private var details: [JSONValue.Member] {
    [
      .init("id", .string(id)), .init("group_threshold", .integer(Int64(plan.groupThreshold))),
      .init(
        "groups", .array(plan.groups.map { .array([.integer(Int64($0.threshold)), .integer(Int64($0.count))]) })),
      .init("label", .string(label)), .init("made", .integer(made)),
      .init("last_tested", lastTested.map { .integer($0) } ?? .null), .init("code", .bool(hasCode)),
      .init("handed_out", .bool(isHandedOut)),
    ]
  }

  /// - Returns: nil for bytes that another program, or a newer version, wrote.
  init?(recordID: [UInt8], record: [UInt8]) {
    guard recordID.count == 2, let value = try? JSONValue(parsing: record), value["v"]?.integer == 1,
      let label = value["label"]?.string, let made = value["made"]?.integer, let plan = Self.plan(value)
    else { return nil }
    if let slot = value["slot"]?.integer.flatMap({ UInt32(exactly: $0) }) {
      content = .slot(slot)
    } else if let key = value["identity"]?.string.flatMap({ Hex.decode($0) }).flatMap({ Bytes32($0) }).map(PublicKey.init) {
      content =
        value["holds"]?.string == "words" ? .words(key, account: UInt32(clamping: value["account"]?.integer ?? 0)) : .key(key)
    } else {
      return nil
    }
    identifier = UInt16(recordID[0]) << 8 | UInt16(recordID[1])
    (self.plan, self.label, self.made, lastTested) = (plan, label, made, value["last_tested"]?.integer)
    (hasCode, isHandedOut) = (value["code"]?.bool ?? false, value["handed_out"]?.bool ?? true)
  }

  private static func plan(_ value: JSONValue) -> SharePlan? {
    let groups = (value["groups"]?.array ?? []).compactMap { group -> SharePlan.Group? in
      guard let threshold = group[0]?.integer, let count = group[1]?.integer else { return nil }
      return SharePlan.Group(threshold: Int(clamping: threshold), count: Int(clamping: count))
    }
    return try? SharePlan(groupThreshold: Int(clamping: value["group_threshold"]?.integer ?? 0), groups: groups)
  }
}
