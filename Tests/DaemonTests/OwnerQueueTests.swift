import AuditLog
import DaemonSupport
import JSON
import OwnerAPI
import Platform
import SecretMemory
import Testing

@testable import Daemon
@testable import Signer

@Suite("The owner's operations do not delay apps") struct OwnerQueueTests {
  private static func secret(_ text: String) throws -> SecretBox {
    SecretBox(try SecretBytes(count: text.utf8.count) { $0.copyBytes(from: Array(text.utf8)) })
  }

  @Test("Operations that need a token or a proof run beside the workers", arguments: ["pin", "new_pin", "passphrase", "shares"])
  func besideTheWorkers(secret: String) throws {
    let signer = try Signer()
    let queue = OwnerQueue(signer.operations, signer.workers)
    let isReleased = Locked(false)
    for _ in 0..<10 { signer.workers.submitAlways { _ = isReleased.wait { $0 ? true : nil } } }
    let answer = Locked<ControlResponse?>(nil)
    // None of them opens this vault: what counts is that there is an answer.
    let request = ControlRequest("slot/test", [:], secrets: [secret: try Self.secret("1234")])
    queue.take(request, via: .command) { response in answer.change { $0 = response } }
    #expect(answer.wait(milliseconds: 60_000) { $0 } != nil)
    isReleased.change { $0 = true }
    signer.close()
  }

  @Test(
    "What may read a log of gigabytes runs beside the workers, and does not hold up a stop",
    arguments: ["log/show", "log/verify", "log/prove", "log/export", "policy/explain", "identity/receipt", "identity/delete"])
  func readingBesideTheWorkers(operation: String) throws {
    let signer = try Signer()
    // Nothing is read of a log without an entry.
    let isWritten = Locked(false)
    signer.core.log.append(.event(.settingChanged, rule: "a test")) { _ in isWritten.change { $0 = true } }
    _ = isWritten.wait { $0 ? true : nil }
    let queue = OwnerQueue(signer.operations, signer.workers)
    let isReleased = Locked(false)
    for _ in 0..<10 { signer.workers.submitAlways { _ = isReleased.wait { $0 ? true : nil } } }
    let (answer, later) = (Locked<ControlResponse?>(nil), Locked<ControlResponse?>(nil))
    let request = ControlRequest(operation, ["name": "main", "plan": true, "sequence": 1, "log": true])
    queue.take(request, via: .command) { response in answer.change { $0 = response } }
    let first = answer.wait(milliseconds: 60_000) { $0 }
    if case .success? = first {} else { Issue.record("not done: \(String(describing: first))") }
    queue.drain(milliseconds: 1)
    queue.take(request, via: .command) { response in later.change { $0 = response } }
    let second = later.wait(milliseconds: 60_000) { $0 }
    // What a plan of a deletion could not read, it leaves out.
    if operation != "identity/delete" { guard case .failure? = second else { throw Missing() } }
    isReleased.change { $0 = true }
    signer.close()
  }

  @Test("The owner's operations run next, even when strangers' events occupy all workers")
  func ownersComeFirst() throws {
    let signer = try Signer()
    let queue = OwnerQueue(signer.operations, signer.workers)
    let (isReleased, done) = (Locked(false), Locked(0))
    for _ in 0..<2 { signer.workers.submitAlways { _ = isReleased.wait { $0 ? true : nil } } }
    while signer.workers.submit({ done.withLock { $0 += 1 } }) {}
    let answer = Locked<(response: ControlResponse, after: Int)?>(nil)
    queue.take(ControlRequest("client/list"), via: .command) { response in
      answer.change { $0 = (response, done.withLock { $0 }) }
    }
    isReleased.change { $0 = true }
    let said = try #require(answer.wait(milliseconds: 20_000) { $0 })
    guard case .success = said.response else {
      Issue.record("refused")
      return signer.close()
    }
    #expect(said.after < Workers.maximumWaiting / 2)
    signer.close()
  }

  /// A page that was left open may read a backup again and again.
  @Test("The owner unlocks while as many slow operations run as may", arguments: ["unlock", "resume"])
  func unlockingDoesNotWaitForSlowOperations(operation: String) throws {
    let signer = try Signer()
    let queue = OwnerQueue(signer.operations, signer.workers)
    let isReleased = Locked(false)
    for _ in 0..<OwnerQueue.mostBeside { #expect(queue.beside.take(Self.task) { _ in _ = isReleased.wait { $0 ? true : nil } }) }
    let (busy, answer) = (Locked<ControlResponse?>(nil), Locked<ControlResponse?>(nil))
    queue.take(ControlRequest("backup/verify"), via: .console) { response in busy.change { $0 = response } }
    #expect(busy.wait(milliseconds: 60_000) { $0 } == .busy)
    let request = ControlRequest(operation, [:], secrets: ["passphrase": try Self.secret(TestHome.passphrase)])
    queue.take(request, via: .console) { response in answer.change { $0 = response } }
    let said = answer.wait(milliseconds: 20_000) { $0 }
    if case .success? = said {} else { Issue.record("not done: \(String(describing: said))") }
    isReleased.change { $0 = true }
    signer.close()
  }

  @Test("Unlocking with a PIN does not wait for another operation of a token") func unlockingWithAPINDoesNotWait() throws {
    let signer = try Signer()
    let queue = OwnerQueue(signer.operations, signer.workers)
    let isReleased = Locked(false)
    #expect(queue.tokens.take(Self.task) { _ in _ = isReleased.wait { $0 ? true : nil } })
    let answer = Locked<ControlResponse?>(nil)
    let request = ControlRequest("unlock", [:], secrets: ["pin": try Self.secret("1234")])
    queue.take(request, via: .console) { response in answer.change { $0 = response } }
    // The vault has no token, and it was asked.
    guard case .failure(5, _, _, _, _, _)? = answer.wait(milliseconds: 60_000, until: { $0 }) else { throw Missing() }
    isReleased.change { $0 = true }
    signer.close()
  }

  private static let task = OwnerLane.Task(request: ControlRequest("status"), channel: .command) { _ in }

  @Test("Operations of one kind run up to a limit, a few more wait, and the rest are refused")
  func bound() {
    let lane = OwnerLane(most: 1, mostWaiting: 2)
    let (isReleased, running, most, done) = (Locked(false), Locked(0), Locked(0), Locked(0))
    let run: @Sendable (OwnerLane.Task) -> Void = { _ in
      let now = running.withLock { count in
        count += 1
        return count
      }
      most.withLock { $0 = max($0, now) }
      _ = isReleased.wait { $0 ? true : nil }
      running.withLock { $0 -= 1 }
      done.change { $0 += 1 }
    }
    #expect((0..<5).map { _ in lane.take(Self.task, run) } == [true, true, true, false, false])
    #expect(lane.isBusy && !lane.drain(milliseconds: 20))
    isReleased.change { $0 = true }
    #expect(lane.drain(milliseconds: 20_000))
    #expect(done.withLock { $0 } == 3 && most.withLock { $0 } == 1)
    #expect(lane.take(Self.task, run) && lane.drain(milliseconds: 20_000) && done.withLock { $0 } == 4)
  }

  @Test("At shutdown, waiting operations are answered and not started")
  func atTheEnd() {
    let lane = OwnerLane(most: 1, mostWaiting: 2)
    let (isReleased, begun, refused) = (Locked(false), Locked(0), Locked(0))
    let waiting = OwnerLane.Task(request: ControlRequest("status"), channel: .command) { _ in refused.change { $0 += 1 } }
    for _ in 0..<3 {
      _ = lane.take(waiting) { _ in
        begun.withLock { $0 += 1 }
        _ = isReleased.wait { $0 ? true : nil }
      }
    }
    lane.refuseWaiting()
    isReleased.change { $0 = true }
    #expect(lane.drain(milliseconds: 20_000))
    #expect(begun.withLock { $0 } == 1 && refused.withLock { $0 } == 2)
  }

  /// Otherwise a program that never signs in would keep the signer from locking by itself.
  @Test("An attempt to sign in does not extend the session") func aSignInIsNoActivity() throws {
    let signer = try Signer()
    try signer.operations.ask("session/set", ["lock_after": 3600])
    let queue = OwnerQueue(signer.operations, signer.workers)
    func left() -> Int64 { signer.core.session.remaining ?? 0 }
    /// - Returns: what is left once the signer has taken the attempt.
    func prove(isSignIn: Bool) throws -> Int64 {
      var request = ControlRequest("session/prove", secrets: ["passphrase": try Self.secret("wrong")])
      request.isSignIn = isSignIn
      let answer = Locked<ControlResponse?>(nil)
      queue.take(request, via: .console) { response in answer.change { $0 = response } }
      defer { _ = answer.wait(milliseconds: 60_000) { $0 } }
      return left()
    }
    signer.core.session.touch()
    let before = left()
    while left() > before - 50 { usleep(1000) }
    let passed = left()
    #expect(try prove(isSignIn: true) <= passed)
    #expect(try prove(isSignIn: false) > passed)
    signer.close()
  }

  /// Ten thousand jobs stand before it; it does not stand in line.
  @Test("A panic does not wait for ten thousand jobs before it") func panicDoesNotWaitForBusyWorkers() throws {
    let signer = try Signer()
    let queue = OwnerQueue(signer.operations, signer.workers)
    let isReleased = Locked(false)
    for _ in 0..<10_000 { signer.workers.submitAlways { _ = isReleased.wait { $0 ? true : nil } } }
    let answer = Locked<ControlResponse?>(nil)
    queue.take(ControlRequest("panic"), via: .command) { response in answer.change { $0 = response } }
    let response = answer.wait(milliseconds: 60_000) { $0 }  // the jobs are not over before it has answered
    guard case .success(let done)? = response else { throw Missing() }
    #expect(done["keys_wiped"] == true && done["recorded"] == true)
    isReleased.change { $0 = true }
    signer.close()
  }
}
