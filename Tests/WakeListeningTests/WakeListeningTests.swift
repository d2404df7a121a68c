import Ciphers
import Encodings
import JSON
import Platform
import TestSupport
import Testing
import WebPush

@testable import Sockets
@testable import WakeListening

private func id(_ number: UInt8) -> Bytes32 { Bytes32([UInt8](repeating: number, count: 32))! }

/// A push for a request to one of the signer's keys.
private func push(_ number: UInt8, for signer: UInt8 = 0xAA) -> PushedRequest {
  let text = #"{"relay_url":"wss://r.example","event_id":"\#(id(number).hex)","signer_pubkey":"\#(id(signer).hex)"}"#
  return PushedRequest(payload: Array(text.utf8))!
}

@Suite("Which pushes start a wake") struct PushInboxTests {
  @Test("A request starts one wake, however many pushes tell of it") func once() {
    var inbox = PushInbox(now: 0)
    var verdicts = [inbox.take(push(1), now: 0), inbox.take(push(1), now: 1)]
    inbox.end(id(1), isForgotten: false)
    verdicts.append(inbox.take(push(1), now: 2))
    #expect(verdicts == [.wake, .known, .known])
  }

  @Test("After a wake that failed, another push may start another one") func again() {
    var inbox = PushInbox(now: 0)
    var verdicts = [inbox.take(push(1), now: 0)]
    inbox.end(id(1), isForgotten: true)
    verdicts.append(inbox.take(push(1), now: 1))
    #expect(verdicts == [.wake, .wake])
  }

  private static let most = TokenBucket.Rate(perSecond: 1, burst: 9)

  @Test("Wakes that wait, and wakes in a time, are limited for each of the signer's keys and for all of them") func limits()
    throws
  {
    var limits = PushInbox.Limits()
    (limits.waiting, limits.waking) = (2, .init(perSecond: 1, burst: 3))
    (limits.waitingInAll, limits.wakingInAll) = (3, .init(perSecond: 1, burst: 5))
    var inbox = PushInbox(limits, now: 0)
    let waiting = (1...3).map { inbox.take(push($0), now: 0) }
    #expect(waiting == [.wake, .wake, .tooMany])
    let others = (4...5).map { inbox.take(push($0, for: 0xBB), now: 0) }
    #expect(others == [.wake, .tooMany], "three wait in all")
    for number: UInt8 in [1, 2, 4] { inbox.end(id(number), isForgotten: false) }
    let inTime = (6...7).map { inbox.take(push($0), now: 0) }
    #expect(inTime == [.wake, .tooMany], "three wakes for one key")
    let othersInTime = (8...9).map { inbox.take(push($0, for: 0xBB), now: 0) }
    #expect(othersInTime == [.wake, .tooMany], "five wakes in all")
    inbox.end(id(6), isForgotten: false)
    let later = inbox.take(push(7), now: 1_000)
    #expect(later == .wake)
  }

  @Test("An app that floods spends no other app's wakes") func others() throws {
    var inbox = PushInbox(now: 0)
    for number: UInt8 in 1...200 {
      if inbox.take(push(number), now: 0) == .wake { inbox.end(id(number), isForgotten: false) }
    }
    let verdicts = [inbox.take(push(201), now: 0), inbox.take(push(202, for: 0xBB), now: 0)]
    #expect(verdicts == [.tooMany, .wake])
  }

  @Test("Messages that start nothing are limited, and those that start a wake spend nothing of it") func futile() throws {
    var limits = PushInbox.Limits()
    (limits.futile, limits.wakingInAll, limits.waking) = (.init(perSecond: 1, burst: 2), Self.most, Self.most)
    var inbox = PushInbox(limits, now: 0)
    for number: UInt8 in 1...5 {
      let mayRead = inbox.mayRead(now: 0)
      let verdict = inbox.take(push(number), now: 0)
      #expect(mayRead && verdict == .wake)
    }
    for _ in 0..<2 { inbox.noteFutile(now: 0) }
    let readable = [inbox.mayRead(now: 0), inbox.mayRead(now: 1_000)]
    #expect(readable == [false, true])
  }

  @Test("Known requests are bounded, and old ones make room") func remembering() {
    var limits = PushInbox.Limits()
    (limits.remembered, limits.remembering, limits.waking) = (2, 100, Self.most)
    var inbox = PushInbox(limits, now: 0)
    for number: UInt8 in 1...2 {
      let verdict = inbox.take(push(number), now: 0)
      #expect(verdict == .wake)
      inbox.end(id(number), isForgotten: false)
    }
    let later = [inbox.take(push(3), now: 50), inbox.take(push(3), now: 100)]
    #expect(later == [.tooMany, .wake])
  }
}

@Suite("When wakes are tried again") struct WakeListeningQueueTests {
  @Test("A wake that fails is tried for a minute, with longer and longer pauses") func retries() {
    var queue = WakeQueue()
    queue.add(push(1), now: 0)
    var (now, starts): (Int64, [Int64]) = (0, [])
    while let due = queue.nextDue {
      now = max(now, due)
      #expect(queue.due(now: now) == id(1))
      starts.append(now)
      _ = queue.settle(id(1), isFinal: false, now: now)
    }
    #expect(starts == [0, 1_000, 4_000, 13_000, 40_000])
  }

  @Test("A wake that ended is not tried again, and does not hold up others") func order() {
    var queue = WakeQueue()
    queue.add(push(1), now: 0)
    queue.add(push(2), now: 0)
    let isFirstOver = queue.settle(id(1), isFinal: false, now: 0)
    #expect(!isFirstOver && queue.due(now: 0) == id(2))
    let isSecondOver = queue.settle(id(2), isFinal: true, now: 0)
    #expect(isSecondOver)
    #expect(queue.due(now: 0) == nil && queue.due(now: 1_000) == id(1))
  }

  @Test("The signer's keys take turns, so that one app's wakes hold up another's by one") func turns() {
    var queue = WakeQueue()
    for number: UInt8 in 1...4 { queue.add(push(number), now: 0) }
    for number: UInt8 in 5...6 { queue.add(push(number, for: 0xBB), now: 1) }
    var started: [Bytes32] = []
    while let request = queue.due(now: 2) {
      started.append(request)
      _ = queue.settle(request, isFinal: true, now: 2)
    }
    #expect(started == [1, 5, 2, 6, 3, 4].map(id))
    #expect(queue.isEmpty)
  }

  @Test("What waited for longer than an app does is dropped, and no wake starts for it") func old() {
    var queue = WakeQueue()
    queue.add(push(1), now: 0)
    queue.add(push(2), now: 1)
    let dropped = [queue.dropOld(now: WakeQueue.useful), queue.dropOld(now: WakeQueue.useful + 1)]
    #expect(dropped == [[], [id(1)]])
    #expect(queue.due(now: WakeQueue.useful + 1) == id(2))
  }
}

@Suite("The files of a listener") struct WakeFilesTests {
  private let home = TemporaryHome()

  init() { mkdir(home.path, 0o700) }

  @Test("The keys stay, in a file that only its owner reads") func keys() throws {
    let first = try WakeKeys.ofVault(home.path).subscription(at: "https://me.example/wake")
    let second = try WakeKeys.ofVault(home.path).subscription(at: "https://me.example/wake/")
    #expect(first == second)
    #expect(try home.mode("wake.key") == 0o600)
    #expect(home.files() == ["wake.key"])
    let receiver = try PushReceiver(
      endpoint: PushEndpoint(parsing: #require(first["endpoint"]?.string)),
      key: #require(Base64URL.decode(first["keys"]?["p256dh"]?.string ?? "")),
      auth: #require(Base64URL.decode(first["keys"]?["auth"]?.string ?? "")))
    #expect(try WakeKeys.ofVault(home.path).decrypt(PushEncryption.encrypt([4, 2], for: receiver)) == [4, 2])
  }

  @Test("A file that holds no keys is refused and stays") func foreignFile() throws {
    for bytes in [[], [UInt8](repeating: 1, count: 80), Array("hfwake1\n".utf8) + [UInt8](repeating: 0, count: 72)] {
      try home.write(bytes, to: "wake.key")
      #expect(throws: WakeListeningError.keysMalformed) { try WakeKeys.ofVault(home.path) }
      #expect(try home.bytes(of: "wake.key") == bytes)
    }
  }

  @Test("One listener runs for a vault") func exclusive() throws {
    let lock = try ProcessLock.ofListener(in: home.path)
    #expect(throws: WakeListeningError.inUse(pid: getpid())) { _ = try ProcessLock.ofListener(in: home.path) }
    withExtendedLifetime(lock) {}
  }

  @Test("What a killed listener left is found, oldest first; what is too old, unfinished or no push goes") func leftovers() throws
  {
    let spool = WakeSpool(folder: home.path)
    try spool.add(push(2))
    try spool.add(push(1))
    try home.write([1], to: WakeFiles.push(id(3)) + ".new")
    try home.write([1], to: WakeFiles.push(id(4)))
    try spool.add(push(5))
    try #require(rename(spool.path(id(5)), spool.path(id(6))) == 0)
    try home.write([1], to: "wake-notes.push")
    try home.write([1], to: "mine")
    let now = Clock.seconds
    let found = spool.leftovers(useful: 60, now: now)
    #expect(found.map(\.id) == [id(2), id(1)] && found.allSatisfy { $0.signer == id(0xAA) })
    spool.remove(id(2))
    #expect(spool.leftovers(useful: 60, now: now + 120).isEmpty)
    #expect(home.files().sorted() == ["mine", "wake-notes.push"], "nothing of the owner's is touched")
  }

  @Test(
    "A push that names no request, or not as our proxies do, is none",
    arguments: [
      "", "7", "{}", #"{"relay_url":"wss://r.example"}"#, #"{"relay_url":"wss://r.example","event_id":"../../etc/passwd"}"#,
      #"{"event_id":"\#(String(repeating: "ab", count: 32))"}"#,
      #"{"relay_url":"wss://r.example","event_id":"\#(String(repeating: "AB", count: 32))"}"#,
    ])
  func noRequest(_ text: String) { #expect(PushedRequest(payload: Array(text.utf8)) == nil) }
}

@Suite("What a push service is answered") struct WakeReceiverTests {
  private let home = TemporaryHome()
  private let keys: WakeKeys
  private let receiver: PushReceiver
  private let woken = Locked<[Bytes32]>([])
  private let subject: WakeReceiver

  init() throws {
    mkdir(home.path, 0o700)
    keys = try WakeKeys.ofVault(home.path)
    let subscription = keys.subscription(at: "https://me.example")
    receiver = try PushReceiver(
      endpoint: PushEndpoint(parsing: "https://me.example/p"),
      key: #require(Base64URL.decode(subscription["keys"]?["p256dh"]?.string ?? "")),
      auth: #require(Base64URL.decode(subscription["keys"]?["auth"]?.string ?? "")))
    var limits = PushInbox.Limits()
    limits.futile = .init(perSecond: 1, burst: 8)
    subject = WakeReceiver(keys, WakeSpool(folder: home.path), limits) { [woken] push in
      woken.withLock { $0.append(push.id) }
    }
  }

  private func status(_ body: [UInt8], path: String? = nil, method: String = "POST") -> Int {
    subject.answer(
      HTTPRequest(
        method: method, path: path ?? "/wake/" + keys.path, query: [], headers: [], body: body,
        peer: .tcp(address: "127.0.0.1", port: 1))
    ).status
  }

  private func message(_ number: UInt8) throws -> [UInt8] {
    try PushEncryption.encrypt(Array(#"{"relay_url":"wss://r.example","event_id":"\#(id(number).hex)"}"#.utf8), for: receiver)
  }

  @Test("A message is stored before it is answered for, and repeated ones start nothing") func taken() throws {
    #expect(try status(message(1)) == 201)
    #expect(woken.withLock { $0 } == [id(1)])
    #expect(home.files().contains(WakeFiles.push(id(1))))
    #expect(try home.mode(WakeFiles.push(id(1))) == 0o600)
    #expect(try status(message(1)) == 201)
    #expect(woken.withLock { $0 } == [id(1)])
  }

  @Test("Other addresses, methods and bytes start nothing") func refused() throws {
    let message = try message(1)
    #expect(status(message, path: "/wake/") == 404)
    #expect(status(message, path: "/wake/" + keys.path.dropLast()) == 404)
    #expect(status(message, path: "/" + keys.path + "/more") == 404)
    #expect(status([], method: "GET") == 405)
    #expect(status([]) == 400)
    #expect(status([UInt8](repeating: 1, count: 200)) == 400)
    #expect(status([UInt8](repeating: 1, count: 5_000)) == 413)
    #expect(try status(PushEncryption.encrypt(Array("{}".utf8), for: receiver)) == 400)
    #expect(woken.withLock { $0 }.isEmpty)
    #expect(home.files() == ["wake.key"])
  }

  @Test("Who floods the address is asked to wait") func flooded() throws {
    for _ in 0..<8 { #expect(status([1]) == 400) }
    #expect(try status(message(1)) == 429)
  }

  @Test("Real messages leave as many to be tried as before") func realOnes() throws {
    for number: UInt8 in 1...12 { #expect(try status(message(number)) == 201) }
    #expect(status([1]) == 400)
  }

  @Test("A push that cannot be stored is not answered for, and may come again") func fullDisk() throws {
    chmod(home.path, 0o500)
    // Root may write there all the same: a folder in the place of the file stops everybody.
    let path = home.path + "/" + WakeFiles.push(id(1)) + WakeFiles.unfinished
    chmod(home.path, 0o700)
    mkdir(path, 0o700)
    #expect(try status(message(1)) == 503)
    #expect(woken.withLock { $0 }.isEmpty)
    rmdir(path)
    #expect(try status(message(1)) == 201)
  }
}

@Suite("Starting wakes") struct WakeRunnerTests {
  private let home = TemporaryHome()

  init() { mkdir(home.path, 0o700) }

  /// Runs a shell script for each request, until `count` attempts are over.
  private func runs(_ script: String, _ requests: [Bytes32], count: Int) throws -> [WakeRun] {
    let spool = WakeSpool(folder: home.path)
    let pushes = requests.map { push($0.array[0]) }
    for push in pushes { try spool.add(push) }
    let done = Locked<[WakeRun]>([])
    let runner = WakeRunner(["/bin/sh", "-c", script, "sh"], spool) { run in done.change { $0.append(run) } }
    for push in pushes { runner.add(push) }
    let thread = try #require(SystemThread.start { runner.run() })
    let found = done.wait(milliseconds: 20_000) { $0.count >= count ? $0 : nil }
    runner.stop()
    thread.join()
    return try #require(found)
  }

  @Test("Each push is handed over in its file, which is gone after its wake") func handedOver() throws {
    let runs = try runs(#"test "$2" = --payload && cp "$3" "\#(home.path)/copy""#, [id(1), id(2)], count: 2)
    #expect(runs.map(\.exit) == [0, 0] && runs.map(\.request) == [id(1), id(2)] && runs.allSatisfy(\.isOver))
    #expect(String(decoding: try home.bytes(of: "copy"), as: UTF8.self).contains(id(2).hex))
    #expect(home.files() == ["copy"])
  }

  @Test("A wake that failed is tried again, and one that was killed, too") func triedAgain() throws {
    let script =
      #"n=$(cat "\#(home.path)/n" 2>/dev/null || echo 0); echo $((n+1)) > "\#(home.path)/n"; test $n -gt 0 || \#("kill -9 $$")"#
    let runs = try runs(script, [id(1)], count: 2)
    #expect(runs.map(\.exit) == [nil, 0] && runs.map(\.isOver) == [false, true])
  }

  @Test("What a rule denied, or what is not there, is not tried again", arguments: [2, 3, 4, 5, 6, 7] as [Int32])
  func final(_ code: Int32) throws {
    let runs = try runs("exit \(code)", [id(1)], count: 1)
    #expect(runs.map(\.exit) == [code] && runs[0].isOver)
    #expect(home.files().isEmpty)
  }
}
