import Curve
import Encodings
import Testing

@testable import AuditLog

@Suite struct EntryCodecTests {
  @Test("Every combination of fields is read back as it was written") func everyCombinationOfFieldsComesBack() {
    for fields in 0..<1 << 14 {
      func has(_ bit: Int) -> Bool { fields >> bit & 1 == 1 }
      let kind = AuditEntry.Kind.allCases[fields % AuditEntry.Kind.allCases.count]
      var entry = AuditEntry(
        time: Int64(fields) - 7, kind: kind, identity: has(0) ? PublicKey(id(1)) : nil, client: has(1) ? PublicKey(id(2)) : nil,
        requestID: has(2) ? id(3) : nil, requestCreatedAt: has(3) ? -5 : nil,
        method: has(4) ? AuditMethod.allCases[fields % AuditMethod.allCases.count] : nil, eventKind: has(5) ? 65535 : nil,
        decision: has(6) ? .ask : nil, rule: has(7) ? AuditRule(clipping: String(repeating: "r", count: fields % 65)) : nil,
        resultID: has(8) ? id(4) : nil, error: has(9) ? AuditErrorCode(rawValue: 4000) : nil, amount: has(10) ? .min : nil,
        code: has(11) ? AuditRule(clipping: String(repeating: "c", count: fields % 65)) : nil,
        heading: has(13) ? 255 : nil)
      entry.vault = has(12) ? VaultMark(revision: 3, generation: 2, digest: [UInt8](repeating: 5, count: 16)) : nil
      var body: [UInt8] = []
      entry.write(to: &body)
      #expect(body.count <= AuditEntry.maximumBodyLength)
      #expect(AuditEntry(time: entry.time, body: body[...]) == entry)
      #expect(AuditEntry(time: entry.time, body: body.dropLast()[...]) == nil)
      #expect(AuditEntry(time: entry.time, body: (body + [0])[...]) == nil)
    }
  }

  @Test(
    "An entry with unknown or missing parts is refused",
    arguments: [
      [0, 0, 0],  // no such kind
      [200, 0, 0],  // a later version's kind
      [1, 0x40, 0],  // a bit too many
      [1, 0x20, 0],  // a heading that is missing
      [1, 0, 0x10, 99],  // no such method
      [1, 0, 0x40, 0],  // no such decision
      [1, 0, 0x80, 65] + [UInt8](repeating: 0x61, count: 65),  // a rule that is too long
      [1, 0, 0x80, 1, 0x0a],  // a rule with a line feed
      [1, 0, 0x80, 2, 0x61],  // a rule that is cut
      [1, 0x08, 0, 1, 0x0a],  // a code with a line feed
      [1, 0x10, 0] + [UInt8](repeating: 0, count: 32),  // a vault of revision 0
      [1, 0x10, 0] + [UInt8](repeating: 1, count: 31),  // one that is cut
      [],
    ] as [[UInt8]])
  func unknownOrCutBodiesAreRefused(body: [UInt8]) { #expect(AuditEntry(time: 0, body: body[...]) == nil) }

  @Test("The name of a rule is cut to 64 printable ASCII characters") func rulesAreClippedToPrintableASCII() {
    #expect(AuditRule(clipping: "a\nü").description == "a???")
    #expect(AuditRule(clipping: String(repeating: "a", count: 70)).description.utf8.count == 64)
  }
}
