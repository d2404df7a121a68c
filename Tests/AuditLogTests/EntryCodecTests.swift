import Curve
import Encodings
import Testing

@testable import AuditLog

@Suite struct EntryCodecTests {
  @Test func everyCombinationOfFieldsComesBack() {
    for fields in 0..<1 << 11 {
      func has(_ bit: Int) -> Bool { fields >> bit & 1 == 1 }
      let kind = AuditEntry.Kind.allCases[fields % AuditEntry.Kind.allCases.count]
      let entry = AuditEntry(
        time: Int64(fields) - 7, kind: kind, identity: has(0) ? PublicKey(id(1)) : nil, client: has(1) ? PublicKey(id(2)) : nil,
        requestID: has(2) ? id(3) : nil, requestCreatedAt: has(3) ? -5 : nil,
        method: has(4) ? AuditMethod.allCases[fields % AuditMethod.allCases.count] : nil, eventKind: has(5) ? 65535 : nil,
        decision: has(6) ? .ask : nil, rule: has(7) ? AuditRule(clipping: String(repeating: "r", count: fields % 65)) : nil,
        resultID: has(8) ? id(4) : nil, error: has(9) ? AuditErrorCode(rawValue: 4000) : nil, amount: has(10) ? .min : nil)
      var body: [UInt8] = []
      entry.write(to: &body)
      #expect(body.count <= AuditEntry.maximumBodyLength)
      #expect(AuditEntry(time: entry.time, body: body[...]) == entry)
      #expect(AuditEntry(time: entry.time, body: body.dropLast()[...]) == nil)
      #expect(AuditEntry(time: entry.time, body: (body + [0])[...]) == nil)
    }
  }

  @Test func theLongestEntryHasTheDocumentedLength() {
    var entry = entry(1)
    (entry.resultID, entry.error, entry.amount) = (id(1), .storage, 1)
    entry.rule = AuditRule(clipping: String(repeating: "x", count: 100))
    var bytes: [UInt8] = []
    _ = RecordFormat.append(entry, sequence: 1, after: Bytes32(), to: &bytes)
    #expect(bytes.count == 278 && RecordFormat.maximumLength == 278 && RecordFormat.minimumLength == 63)
  }

  @Test(
    arguments: [
      [0, 0, 0],  // no such kind
      [200, 0, 0],  // a later version's kind
      [1, 0x08, 0],  // a bit too many
      [1, 0, 0x10, 99],  // no such method
      [1, 0, 0x40, 0],  // no such decision
      [1, 0, 0x80, 65] + [UInt8](repeating: 0x61, count: 65),  // a rule that is too long
      [1, 0, 0x80, 1, 0x0a],  // a rule with a line feed
      [1, 0, 0x80, 2, 0x61],  // a rule that is cut
      [],
    ] as [[UInt8]])
  func unknownOrCutBodiesAreRefused(body: [UInt8]) { #expect(AuditEntry(time: 0, body: body[...]) == nil) }

  @Test func rulesAreClippedToPrintableASCII() {
    #expect(AuditRule(clipping: "a\nü").description == "a???")
    #expect(AuditRule(clipping: String(repeating: "a", count: 70)).description.utf8.count == 64)
  }

  /// Format stability: these bytes are on people's disks.
  @Test func aKnownEntryHasKnownBytes() {
    let entry = AuditEntry(
      time: 0x0102_0304_0506, kind: .requestDone, client: PublicKey(Bytes32 { $0.fill(0xcc) }), method: .signEvent, eventKind: 1,
      decision: .allow, rule: "full", error: .malformed, amount: -2)
    var bytes: [UInt8] = []
    let chain = RecordFormat.append(entry, sequence: 7, after: Bytes32 { $0.fill(0x11) }, to: &bytes)
    let clients = String(repeating: "cc", count: 32)
    let expected =
      "00000072" + "0000000000000007" + "22d50db4" + "0000010203040506" + "02" + "06f2" + clients + "04" + "0001" + "01"
      + "0466756c6c" + "0001" + "fffffffffffffffe" + "7734370fe91996a811926032f85b006ce08b85a27a4da5ae57f5071b0ef4a7ad"
      + "00000072"
    #expect(Hex.encode(bytes) == expected)
    #expect(chain.hex == "7734370fe91996a811926032f85b006ce08b85a27a4da5ae57f5071b0ef4a7ad")
    let header = LogHeader(logID: [UInt8](0..<16))
    #expect(Hex.encode(header.bytes) == "4846415544495400" + "00000001" + "00000000" + "000102030405060708090a0b0c0d0e0f")
    #expect(
      Hex.encode(LogHead.bytes(header.start, of: header)) == "48464155444844000000000100000000000102030405060708090a0b0c0d0e0f"
        + "000000000000000000000000000000204366afc4201139a08e7e3e616c2f32c3"
        + "55fc7d9211cd1c3246dbb47def4b28b166e579bf6aa9c88273b0bc5c4cea5fd9" + "1fa24ee9c7b9a393689ef12aef7542e5")
  }
}
