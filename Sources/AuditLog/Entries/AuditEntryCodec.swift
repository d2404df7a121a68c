import Curve
import Encodings

// The body of a record, for docs/FORMATS.md. All numbers are big-endian.
//
//   1  kind
//   2  which of the fields below are there: bit 0 is the first
//      0 identity 32 · 1 client 32 · 2 request id 32 · 3 request created_at 8 (two's complement) · 4 method 1
//      5 event kind 2 · 6 decision 1 · 7 rule: length 1, then that many bytes of printable ASCII (0 to 64)
//      8 result id 32 · 9 error code 2 · 10 amount 8 (two's complement)
//     11 code: as the rule, its stable name · 12 vault: revision 8 · generation 8 · digest 16
//     13 heading 1; bits 14 and 15 are zero
//        (earlier versions knew 0 to 10 only, or 0 to 12: to them an entry with the others is unreadable)
//   …  the fields, in that order, nothing after them
//
// The time is part of the record around the body. There is one way to write an entry: an unknown number, a bit too many or a
// byte left over makes the record unreadable.

extension AuditEntry {
  /// A body is never longer than this, in bytes.
  static let maximumBodyLength =
    3 + 4 * 32 + 8 + 1 + 2 + 1 + 1 + AuditRule.maximumLength + 2 + 8
    + 1 + AuditRule.maximumLength + VaultMark.length + 1
  static let minimumBodyLength = 3

  private enum Field: Int {
    case identity, client, requestID, requestCreatedAt, method, eventKind, decision, rule, resultID, error, amount, code, vault
    case heading
    static let count = 14
  }

  /// Appends the body's bytes.
  func write(to bytes: inout [UInt8]) {
    bytes.append(kind.rawValue)
    let fieldsAt = bytes.count
    bytes.append(contentsOf: [0, 0])
    var fields: UInt16 = 0
    func put(_ field: Field, _ isThere: Bool) { if isThere { fields |= 1 << UInt16(field.rawValue) } }

    put(.identity, append(identity?.bytes, to: &bytes))
    put(.client, append(client?.bytes, to: &bytes))
    put(.requestID, append(requestID, to: &bytes))
    put(.requestCreatedAt, append(requestCreatedAt, to: &bytes))
    put(.method, append(method?.rawValue, to: &bytes))
    put(.eventKind, append(eventKind, to: &bytes))
    put(.decision, append(decision?.rawValue, to: &bytes))
    put(.rule, append(rule.map { UInt8($0.ascii.count) }, to: &bytes))  // at most 64
    bytes.append(contentsOf: rule?.ascii ?? [])
    put(.resultID, append(resultID, to: &bytes))
    put(.error, append(error?.rawValue, to: &bytes))
    put(.amount, append(amount, to: &bytes))
    put(.code, append(code.map { UInt8($0.ascii.count) }, to: &bytes))  // at most 64
    bytes.append(contentsOf: code?.ascii ?? [])
    put(.vault, vault != nil)
    bytes.append(contentsOf: vault?.bytes ?? [])
    put(.heading, append(heading, to: &bytes))
    bytes[fieldsAt] = UInt8(fields >> 8)
    bytes[fieldsAt + 1] = UInt8(fields & 0xff)
  }

  /// - Returns: nil when the bytes are not a body as this version writes it.
  init?(time: Int64, body: ArraySlice<UInt8>) {
    var reader = ByteReader(body)
    guard let number = reader.byte(), let kind = Kind(rawValue: number), let fields: UInt16 = reader.integer(),
      fields >> UInt16(Field.count) == 0
    else { return nil }
    self.init(time: time, kind: kind)
    func has(_ field: Field) -> Bool { fields >> UInt16(field.rawValue) & 1 == 1 }

    identity = has(.identity) ? reader.bytes32().map(PublicKey.init) : nil
    client = has(.client) ? reader.bytes32().map(PublicKey.init) : nil
    requestID = has(.requestID) ? reader.bytes32() : nil
    requestCreatedAt = has(.requestCreatedAt) ? reader.integer() : nil
    method = has(.method) ? reader.byte().flatMap(AuditMethod.init) : nil
    eventKind = has(.eventKind) ? reader.integer() : nil
    decision = has(.decision) ? reader.byte().flatMap(Decision.init) : nil
    rule = has(.rule) ? reader.byte().flatMap { reader.take(Int($0)) }.flatMap(AuditRule.init(stored:)) : nil
    resultID = has(.resultID) ? reader.bytes32() : nil
    error = has(.error) ? reader.integer().map(AuditErrorCode.init(rawValue:)) : nil
    amount = has(.amount) ? reader.integer() : nil
    code = has(.code) ? reader.byte().flatMap { reader.take(Int($0)) }.flatMap(AuditRule.init(stored:)) : nil
    vault = has(.vault) ? VaultMark(&reader) : nil
    heading = has(.heading) ? reader.byte() : nil
    guard reader.isAtEnd, presence == fields else { return nil }  // a field that was announced and could not be read is missing
  }

  private var presence: UInt16 {
    let there = [
      identity != nil, client != nil, requestID != nil, requestCreatedAt != nil, method != nil, eventKind != nil,
      decision != nil, rule != nil, resultID != nil, error != nil, amount != nil, code != nil, vault != nil,
      heading != nil,
    ]
    return there.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt16($1.offset) : $0 }
  }
}

private func append(_ value: Bytes32?, to bytes: inout [UInt8]) -> Bool {
  guard let value else { return false }
  value.withUnsafeBytes { bytes.append(contentsOf: $0) }
  return true
}

private func append(_ value: UInt8?, to bytes: inout [UInt8]) -> Bool {
  guard let value else { return false }
  bytes.append(value)
  return true
}

private func append(_ value: UInt16?, to bytes: inout [UInt8]) -> Bool {
  guard let value else { return false }
  bytes.append(bigEndian: value)
  return true
}

private func append(_ value: Int64?, to bytes: inout [UInt8]) -> Bool {
  guard let value else { return false }
  bytes.append(bigEndian: value)
  return true
}
