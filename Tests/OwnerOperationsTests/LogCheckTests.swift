import AuditLog
import DaemonSupport
import JSON
import OwnerAPI
import Platform
import Testing

@testable import OwnerOperations
@testable import Signer

@Suite("Checking the whole log") struct LogCheckTests {
  private static func found() throws -> AuditVerification {
    let signer = try Signer()
    defer { signer.close() }
    return try AuditLog.verify(folder: signer.home.home.log)
  }

  @Test("A caller is told the progress of the check and gets the result when it asks again") func toldOnTheWay() throws {
    let (check, isReleased, begun, result) = (LogCheck(), Locked(false), Locked(0), try Self.found())
    let body: @Sendable ((UInt64) -> Bool) throws(AuditLogError) -> AuditVerification = { goesOn throws(AuditLogError) in
      begun.change { $0 += 1 }
      guard goesOn(4096) else { throw .closed }
      _ = isReleased.wait { $0 ? true : nil }
      return result
    }
    let first = check.run(nil, milliseconds: 0, body)
    #expect(first.outcome == nil)
    #expect(begun.wait(milliseconds: 10_000) { $0 == 1 ? true : nil } == true)
    let joined = check.run(nil, milliseconds: 0, body)
    #expect(joined.number == first.number && joined.outcome == nil, "one at a time")
    isReleased.change { $0 = true }
    let last = check.run(first.number, milliseconds: 10_000, body)
    guard case .done(let done)? = last.outcome else { throw Missing() }
    #expect(done == result && last.checked == 4096 && begun.withLock { $0 } == 1)
    guard case .done? = check.run(first.number, milliseconds: 0, body).outcome else { throw Missing() }
    let second = check.run(nil, milliseconds: nil, body)
    #expect(second.number == first.number + 1 && begun.withLock { $0 } == 2, "asked anew, checked anew")
  }

  @Test("A stopping signer ends the check and tells callers who wait") func endsWithTheSigner() throws {
    let signer = try Signer()
    let (isBegun, check) = (Locked(false), signer.operations.logCheck)
    let (number, _, _) = check.run(nil, milliseconds: 0) { goesOn throws(AuditLogError) in
      isBegun.change { $0 = true }
      while goesOn(1) { _ = Locked(0).wait(milliseconds: 1) { _ in Int?.none } }
      throw .closed
    }
    #expect(isBegun.wait(milliseconds: 10_000) { $0 ? true : nil } == true)
    signer.operations.endReading()
    let failure = #expect(throws: OperationError.self) {
      try signer.operations.perform(ControlRequest("log/verify", ["check": .integer(number)]), via: .command)
    }
    #expect(failure == .logCheckEnded)
    signer.close()
  }

  @Test("A short log is checked at once, with or without a waiting time", arguments: [[:], ["wait": 30]] as [JSONValue])
  func short(given: JSONValue) throws {
    let signer = try Signer()
    let found = try signer.operations.ask("log/verify", given)
    #expect(found["ok"] == true && found["entries"]?.integer ?? 0 > 0 && found["running"] == nil)
    signer.close()
  }
}
