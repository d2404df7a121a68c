import Curve
import Encodings
import JSON
import RemoteSigning

/// What one record of the journal says: a new entry, or what became of an earlier one. Records are JSON, for docs/FORMATS.md.
enum JournalRecord: Equatable {
  /// The first one: it makes the file's head authentic.
  case begun
  case entry(JournalEntry)
  case made(Bytes32, signed: Bytes32?, failed: Bool)
  case sent(Bytes32, isTaken: Bool)
  case left(Bytes32)
  case told(Bytes32)
}

extension JournalRecord {
  /// The record as JSON in UTF-8.
  var plaintext: [UInt8] {
    switch self {
    case .begun: Self.object("begun", nil)
    case .entry(let entry): entry.plaintext
    case .made(let id, let signed, let failed):
      Self.object("made", id, [.init("signed", .hex(signed)), .init("failed", .bool(failed))])
    case .sent(let id, let isTaken): Self.object("sent", id, [.init("taken", .bool(isTaken))])
    case .left(let id): Self.object("left", id)
    case .told(let id): Self.object("told", id)
    }
  }

  fileprivate static func object(_ name: String, _ id: Bytes32?, _ members: [JSONValue.Member] = []) -> [UInt8] {
    JSONValue.object([.init("is", .string(name))] + (id.map { [.init("event", .hex($0))] } ?? []) + members).serialized()
  }

  /// Reads what `plaintext` wrote; nil for anything else.
  init?(_ plaintext: [UInt8]) {
    guard let value = try? JSONValue(parsing: plaintext), let name = value["is"]?.string else { return nil }
    if name == "begun" {
      self = .begun
      return
    }
    guard let id = value.bytes32("event") else { return nil }
    switch name {
    case "accepted", "refused":
      guard let entry = JournalEntry(value, id, isRefused: name == "refused") else { return nil }
      self = .entry(entry)
    case "made": self = .made(id, signed: value.bytes32("signed"), failed: value["failed"]?.bool ?? false)
    case "sent": self = .sent(id, isTaken: value["taken"]?.bool ?? false)
    case "left": self = .left(id)
    case "told": self = .told(id)
    default: return nil
    }
  }
}

extension JournalEntry {
  fileprivate var plaintext: [UInt8] {
    let common: [JSONValue.Member] = [
      .init("time", .integer(time)), .init("dated", .integer(createdAt)), .init("signer", .hex(remoteSigner.bytes)),
      .init("client", .hex(client.bytes)),
    ]
    if case .refused(let reason) = fate {
      return JournalRecord.object("refused", eventID, common + [.init("reason", .string(reason.rawValue))])
    }
    return JournalRecord.object("accepted", eventID, common + decided + changes)
  }

  private var decided: [JSONValue.Member] {
    [
      .init("identity", .hex(identity?.bytes)), .init("method", .text(method?.rawValue)),
      .init("kind", kind.map { .integer(Int64($0)) } ?? .null), .init("verdict", .text(decision?.verdict.rawValue)),
      .init("rule", .text(decision?.rule.name)), .init("told", .bool(isTold)),
    ]
  }

  // The records of the vault, as texts in this one.
  private var changes: [JSONValue.Member] {
    [
      ("waiting", waiting?.record), ("pairing", pairing?.record), ("usage", usage?.record(countedUpTo: time)),
      ("place", signed.map { Array($0.id.hex.utf8) }), ("signed", signed?.coordinate.record),
    ].compactMap { name, bytes in bytes.map { .init(name, .string(String(decoding: $0, as: UTF8.self))) } }
  }

  fileprivate init?(_ value: JSONValue, _ id: Bytes32, isRefused: Bool) {
    guard let time = value["time"]?.integer, let dated = value["dated"]?.integer, let signer = value.bytes32("signer"),
      let client = value.bytes32("client")
    else { return nil }
    self.init(time: time, eventID: id, createdAt: dated, remoteSigner: PublicKey(signer), client: PublicKey(client))
    guard isRefused ? readRefusal(value) : readDecision(value) && readChanges(value) else { return nil }
  }

  private mutating func readRefusal(_ value: JSONValue) -> Bool {
    guard let reason = (value["reason"]?.string).flatMap({ DropReason(rawValue: $0) }) else { return false }
    fate = .refused(reason)
    return true
  }

  private mutating func readDecision(_ value: JSONValue) -> Bool {
    identity = value.bytes32("identity").map { PublicKey($0) }
    method = (value["method"]?.string).flatMap { Method(rawValue: $0) }
    kind = value["kind"]?.integer.flatMap { Int(exactly: $0) }
    isTold = value["told"]?.bool ?? false
    guard let verdict = value["verdict"]?.string else { return true }
    guard let verdict = Decision.Verdict(rawValue: verdict), let rule = (value["rule"]?.string).flatMap({ Rule(rawValue: $0) })
    else { return false }
    decision = Decision(verdict, by: rule)
    return true
  }

  private mutating func readChanges(_ value: JSONValue) -> Bool {
    do {
      waiting = try value.bytes("waiting").map { try PendingRequest(record: $0) }
      pairing = try value.bytes("pairing").map { try Pairing(record: $0) }
      usage = try value.bytes("usage").map { try Usage.read($0).usage }
      guard let id = value.bytes32("place") else { return true }
      guard let record = value.bytes("signed") else { return false }
      signed = Signed(id: id, coordinate: try SignedCoordinate(record: record))
      return true
    } catch { return false }
  }
}

extension JSONValue {
  fileprivate static func hex(_ bytes: Bytes32?) -> JSONValue { bytes.map { .string($0.hex) } ?? .null }
  fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  fileprivate func bytes32(_ name: String) -> Bytes32? { (self[name]?.string).flatMap { Bytes32(hex: $0) } }
  fileprivate func bytes(_ name: String) -> [UInt8]? { (self[name]?.string).map { Array($0.utf8) } }
}
