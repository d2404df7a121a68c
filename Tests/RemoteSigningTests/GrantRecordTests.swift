import Curve
import JSON
import RemoteSigning
import Testing

@Suite struct GrantRecordTests {
  /// A pairing as version 0.1.0 stored it, byte for byte: lists `allowed` and `denied`, no ends, no limits.
  private static let older = #"""
    {"signer":"1bb67c45a2c9dde52ef36d71a1d0a8b0c36cb1ef10b1a4d1a7f0d1f1f6b7bb65","client":"a0434d9e47f3c86235477c7b1ae6ae5d3442d49b1943c2b752a68e2a47e247c7","identity":"b0635d6a9851d3aed0cd6c495b282167acf761729078d975fc341b22650b07b9","paired_at":1750000000,"name":"phone","url":null,"requested":["sign_event:1","nip44_encrypt"],"trust":"low","allowed":["sign_event","sign_event:1"],"denied":["nip04_decrypt"],"relays":["ws://127.0.0.1:24133/relay"],"last_seen":1750000100,"requests":7}
    """#

  @Test("A pairing from an earlier version keeps its rules") func aRecordOfAnEarlierVersionKeepsItsRules() throws {
    let pairing = try Pairing(record: Array(Self.older.utf8))
    #expect(pairing.grant.trust == .low && pairing.name == "phone" && pairing.requestCount == 7)
    #expect(pairing.grant.allowed == [Permission(.signEvent), Permission(.signEvent, kind: 1)])
    #expect(pairing.grant.denied == [Permission(.nip04Decrypt)])
    #expect(pairing.grant.rules.allSatisfy { $0.expiresAt == nil } && pairing.grant.limits.isEmpty && !pairing.grant.isSuspended)
    #expect(try Pairing(record: pairing.record) == pairing, "and is stored in the new way")
  }

  @Test("A stored grant is read back as it was written") func aGrantIsReadAsItWasWritten() throws {
    var pairing = try Pairing(record: Array(Self.older.utf8))
    try pairing.grant.set(.allow, Permission(.signEvent, kind: 7375), for: .hour, at: 1_750_000_000)
    try pairing.grant.set(.ask, #require(Permission(parsing: "sign_event:27235@GET https://a.example/x?y=1")), at: 1_750_000_000)
    try pairing.grant.set(.deny, Permission(.nip44Decrypt, scope: .counterparty(pairing.client)), for: .week, at: 1_750_000_000)
    pairing.grant.limits = RequestLimits(perMinute: 5, perDay: 100)
    try pairing.grant.setBudget(Permission(.signEvent, kind: 1), .week, count: 70)
    pairing.grant.isSuspended = true
    #expect(try Pairing(record: pairing.record) == pairing)
  }

  /// What a later version wrote and this one cannot read is no allowance.
  @Test("An unknown verdict from a later version counts as a denial") func aVerdictOfALaterVersionIsADenial() throws {
    let text = Self.older.replacing(
      #""allowed":["sign_event","sign_event:1"],"denied":["nip04_decrypt"]"#,
      with:
        #""rules":[{"permission":"sign_event:1","verdict":"sometimes","made":1,"expires":null},{"permission":"sign_event:99999","verdict":"allow"}]"#
    )
    let grant = try Pairing(record: Array(text.utf8)).grant
    #expect(grant.rules == [GrantRule(Permission(.signEvent, kind: 1), .deny, madeAt: 1)])
  }

  @Test("Stored counts of use are read back as they were written") func useIsReadAsItWasWritten() throws {
    var grant = Grant(trust: .full, limits: RequestLimits(perMinute: 1, perHour: 2, perDay: 3))
    try grant.setBudget(Permission(.signEvent, kind: 1), .week, count: 70)
    try grant.setBudget(Permission(.nip44Decrypt), .hour, count: 70)
    var usage = Usage()
    for _ in 0..<3 { usage.count(RequestFacts(method: .signEvent, kind: 1), under: grant, at: 1_750_000_000) }
    usage.count(RequestFacts(method: .nip44Decrypt), under: grant, at: 1_750_000_010)
    let read = try Usage.read(usage.record(countedUpTo: 1_750_000_010_500))
    #expect(read.usage == usage && read.countedUpTo == 1_750_000_010_500)
  }

  @Test("A waiting request from an earlier version keeps its reason")
  func aWaitingRequestOfAnEarlierVersionKeepsItsReason() throws {
    let text =
      #"{"name":"01020304","signer":"1bb67c45a2c9dde52ef36d71a1d0a8b0c36cb1ef10b1a4d1a7f0d1f1f6b7bb65","client":"a0434d9e47f3c86235477c7b1ae6ae5d3442d49b1943c2b752a68e2a47e247c7","identity":"b0635d6a9851d3aed0cd6c495b282167acf761729078d975fc341b22650b07b9","method":"sign_event","parameters":["{}"],"kind":0,"rule":"protected kind under medium trust","event":"0102030405060708091011121314151617181920212223242526272829303132","received_at":1750000000,"replies":[]}"#
    #expect(try PendingRequest(record: Array(text.utf8)).rule == .protectedKind)
  }
}
