import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Testing
import Vault

@testable import Signer

/// Places that were shut by dates far ahead: healed when the vault opens, and reset by the owner.
@Suite struct ResetEventTests {
  private func event(_ kind: Int, at time: Int64? = nil, _ content: String = "", d: String? = nil, follows: Int = 0) -> JSONValue
  {
    let tags =
      (d.map { [["d", $0]] } ?? []) + (0..<follows).map { ["p", String(repeating: String($0 + 0x10, radix: 16), count: 32)] }
    let value: JSONValue = [
      "kind": .integer(Int64(kind)), "content": .string(content), "created_at": time.map { .integer($0) } ?? .null,
      "tags": .array(tags.map { .array($0.map { .string($0) }) }),
    ]
    return .string(String(decoding: value.serialized(), as: UTF8.self))
  }

  /// Puts a record into the vault as an earlier version wrote it, which compared no date with the clock.
  private func poison(_ signer: Signer, _ kind: Int, _ times: [Int64], follows: Int = 0) throws {
    let identity = try signer.identity.publicKey
    var signed = SignedCoordinate(identity: identity, kind: kind)
    for time in times {
      let template = try EventTemplate(parsing: Array(unwrap(event(kind, at: time, follows: follows).string).utf8))
      _ = signed.add(template.unsigned(by: identity, now: time), isApproved: true, now: time)
    }
    let record = String(decoding: signed.record, as: UTF8.self).replacing(",\"bounded\":true", with: "")
    try signer.core.vault.transaction([
      .put(.signedCoordinate, SignedCoordinate.id(identity: identity, kind: kind).array, Array(record.utf8), .afterFirstUnlock),
      .delete(kind: .setting, id: Array("coordinates bounded".utf8)),
    ])
  }

  @Test("Event kinds that an app blocked with far future dates are unblocked when the vault opens, and the log says so")
  func poisonedVaultsAreHealed() throws {
    let first = try Signer()
    try poison(first, 10_000, (0..<65).map { (1 << 61) + $0 })
    try poison(first, 3, [1 << 62], follows: 1)
    #expect(exit(first.operations, "sign", ["event": event(10_000)]) == nil, "healed also when it is read before")
    try poison(first, 10_000, (0..<65).map { (1 << 61) + $0 })
    let signer = try first.reopened()
    let healed = try signer.entries(.identityChanged).compactMap { $0.rule?.description }
    #expect(healed == ["kind 3: forgot dates ahead", "kind 10000: forgot dates ahead"])
    #expect(signer.core.latest(3, of: try signer.identity.publicKey) == nil)
    #expect(exit(signer.operations, "sign", ["event": event(10_000)]) == nil)
    #expect(exit(signer.operations, "sign", ["event": event(3, follows: 5)]) == nil)
    #expect(signer.core.latest(3, of: try signer.identity.publicKey)?.tags.count == 5, "the guard sees the new list")
    let again = try signer.reopened()
    #expect(try again.entries(.identityChanged).count == 2, "once")
    again.close()
  }

  @Test("The owner can unblock an event kind that accepts no event, and the log says so")
  func aPlaceIsReset() throws {
    let signer = try Signer()
    let ahead = Clock.seconds + 800
    for second in 0..<70 {
      try signer.operations.ask("sign", ["event": event(30_023, at: ahead + Int64(second), d: "a b")])
    }
    #expect(exit(signer.operations, "sign", ["event": event(30_023, at: ahead, "other", d: "a b")]) == .failed)
    for (given, exit) in [
      (["name": "main"], .usage), (["name": "main", "kind": 1], .usage), (["name": "main", "kind": 3, "d": "x"], .usage),
      (["name": "main", "kind": 65_536], .usage), (["name": "nobody", "kind": 3], .notFound),
      (["name": "main", "kind": 3], .notFound),
      (["name": "main", "kind": 30_023, "d": "other"], .notFound),
    ] as [(JSONValue, OperationError.Exit)] {
      #expect(DaemonSupport.exit(signer.operations, "identity/reset-event", given) == exit, "\(given)")
    }
    let result = try signer.operations.ask("identity/reset-event", ["name": "main", "kind": 30_023, "d": "a b"])
    #expect(result["reset"] == true && result["d"] == "a b" && result["kind"] == 30_023)
    #expect(exit(signer.operations, "sign", ["event": event(30_023, at: ahead, "other", d: "a b")]) == nil)
    #expect(exit(signer.operations, "sign", ["event": event(30_023, d: "a b")]) == nil, "now, too")
    #expect(exit(signer.operations, "sign", ["event": event(30_023, at: Clock.seconds - 60, "old", d: "a b")]) == .failed)
    #expect(try signer.entries(.identityChanged).compactMap { $0.rule?.description } == ["kind 30023 was reset"])
    signer.close()
  }

  @Test("After a reset nothing is signed again for that second, and the next event is accepted")
  func aResetClosesItsSecond() throws {
    let signer = try Signer()
    let identity = try signer.identity.publicKey
    let now = Clock.seconds
    #expect(exit(signer.operations, "sign", ["event": event(30_023, at: now, "one", d: "a")]) == nil)
    let id = SignedCoordinate.id(identity: identity, kind: 30_023, name: "a")
    #expect(try signer.core.resetCoordinate(id, of: identity, kind: 30_023, now: now))
    #expect(exit(signer.operations, "sign", ["event": event(30_023, at: now, "another", d: "a")]) == .failed)
    #expect(exit(signer.operations, "sign", ["event": event(30_023, "next", d: "a")]) == nil)
    signer.close()
  }

  @Test("The owner's own command refuses a date in the future unless confirmed")
  func theOwnersSignDatesNothingAheadByMistake() throws {
    let signer = try Signer()
    for time in [Clock.seconds + 100_000, Int64(1) << 61, Int64.max] {
      #expect(exit(signer.operations, "sign", ["event": event(0, at: time)]) == .denied)
    }
    #expect(exit(signer.operations, "sign", ["event": event(0)]) == nil)
    #expect(exit(signer.operations, "sign", ["event": event(0, at: 1 << 61), "date_ahead": true]) == nil)
    #expect(exit(signer.operations, "sign", ["event": event(0, at: Clock.seconds + 5)]) == nil, "the place is open still")
    signer.close()
  }

  @Test("Sixty-five events dated 2^61 wait for the owner under full trust and block nothing")
  func anAppDatesNothingAhead() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    for number in 0..<20 { try signer.deliver(app, "sign_event", [unwrap(event(10_000, at: (1 << 61) + Int64(number)).string)]) }
    let waiting = signer.core.engine.pendingRequests
    #expect(waiting.count == 20 && waiting.allSatisfy { $0.rule == .datedAhead })
    #expect(exit(signer.operations, "sign", ["event": event(10_000)]) == nil)
    let list = try unwrap(try signer.operations.ask("request/list")["requests"]?.array)
    #expect(list.allSatisfy { $0["batch"]?.isNull == true }, "each is looked at alone")
    signer.close()
  }
}
