import AuditLog
import Curve
import DaemonSupport
import Foundation
import JSON
import Platform
import Relays
import RemoteSigning
import TestSupport
import Testing

@testable import Observability
@testable import Signer

/// A journal that takes datagrams apart as systemd-journald does.
final class FakeJournal: Sendable {
  let path = NSTemporaryDirectory() + "/hf-journal-\(UUID().uuidString.prefix(8))"
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// The fields of the next line.
  func next() throws -> [String: String] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    try #require(count > 0)
    return try Self.fields(Array(buffer[..<count]))
  }

  /// Takes what is there.
  /// - Returns: how many lines.
  func drain() -> Int {
    var (buffer, lines) = ([UInt8](repeating: 0, count: 65_536), 0)
    while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 { lines += 1 }
    return lines
  }

  /// Reads on until a line of this event comes.
  func next(_ event: String) throws -> [String: String] {
    while true {
      let fields = try next()
      if fields["HOLDFAST_EVENT"] == event { return fields }
    }
  }

  static func fields(_ bytes: [UInt8]) throws -> [String: String] {
    var fields: [String: String] = [:]
    var rest = bytes[...]
    while !rest.isEmpty {
      let name = rest.prefix { $0 != 0x0A && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count)
      let separator = rest.popFirst()
      let isShort = separator == UInt8(ascii: "=")
      var value: ArraySlice<UInt8>
      if isShort {
        value = rest.prefix { $0 != 0x0A }
      } else {
        try #require(rest.count >= 8)
        let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(8)
        try #require(rest.count > count)
        value = rest.prefix(count)
      }
      rest = rest.dropFirst(value.count)
      let end = rest.popFirst()
      try #require(end == 0x0A)
      let key = String(decoding: name, as: UTF8.self)
      try #require(!key.isEmpty && key.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
      fields[key] = String(decoding: value, as: UTF8.self)
    }
    return fields
  }
}

/// A file without a name in the place of a terminal.
private final class FakeTerminal {
  private let file = tmpfile()
  var descriptor: Int32 { fileno(file) }

  deinit { fclose(file) }

  func said() -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

@Suite struct JournalTests {
  /// A reporter over a signer, with a journal that listens.
  private static func reporter(
    _ signer: Signer, _ journal: FakeJournal, relays: @escaping @Sendable () -> [Observation.Relay] = { [] }
  ) throws -> JournalReporter {
    let socket = try unwrap(JournalSocket(path: journal.path))
    let reporter = JournalReporter(
      signer.core.engine, signer.core.sessionLock, signer.core.signerEvents, workers: signer.workers, writer: .journal(socket),
      relays: relays, now: { signer.now })
    reporter.begin()
    return reporter
  }

  /// A reporter over a signer that writes to a terminal.
  private static func reporter(_ signer: Signer, _ terminal: FakeTerminal, isTrial: Bool = false) -> JournalReporter {
    let reporter = JournalReporter(
      signer.core.engine, signer.core.sessionLock, signer.core.signerEvents, workers: signer.workers,
      writer: .terminal(terminal.descriptor, layOut: { $0 }), relays: { [] }, isTrial: isTrial, now: { signer.now })
    reporter.begin()
    return reporter
  }

  @Test("A line break in a value cannot forge a field in the journal")
  func aLineHoldsItsFieldsAndValuesWithLineBreaksCarryTheirLength() throws {
    var bytes: [UInt8] = []
    JournalMessage.field("MESSAGE", "one\nFORGED=yes", &bytes)
    JournalMessage.field("PRIORITY", "5", &bytes)
    #expect(try FakeJournal.fields(bytes) == ["MESSAGE": "one\nFORGED=yes", "PRIORITY": "5"])
  }

  @Test("A long value is cut before it goes to the journal") func aValueIsCut() throws {
    var bytes: [UInt8] = []
    JournalMessage.field("MESSAGE", String(repeating: "x", count: 1 << 20), &bytes)
    #expect(try FakeJournal.fields(bytes)["MESSAGE"]?.count == JournalMessage.longestValue)
  }

  @Test("The journal records pairings and requests without names")
  func theJournalHearsOfPairingsAndRequestsWithoutNames() throws {
    let (signer, journal) = (try Signer(), try FakeJournal())
    defer { signer.close() }
    let reporter = try Self.reporter(signer, journal)
    #expect(try journal.next()["HOLDFAST_EVENT"] == "started")
    let app = try signer.pairedApp(name: "Canary App")
    let paired = try journal.next("app-paired")
    try signer.deliver(app, "sign_event", [#"{"kind":0,"content":"canary text","tags":[]}"#])
    let waits = try journal.next("request-waits")
    let id = try unwrap(signer.core.engine.pendingRequests.first?.name)
    #expect(waits["HOLDFAST_REQUEST"] == id && waits["HOLDFAST_KIND"] == "0" && waits["PRIORITY"] == "5")
    #expect(waits["MESSAGE"]?.contains("holdfast request approve \(id)") == true)
    let all = paired.merging(waits) { $0 + $1 }.values.joined().lowercased()
    #expect(!all.contains("canary") && !all.contains(app.key.publicKey.hex))
    withExtendedLifetime(reporter) {}
  }

  @Test("Of a flood of requests the terminal gets a few in full and then how many more there were")
  func aFloodIsCountedOnTheTerminal() throws {
    let signer = try Signer()
    defer { signer.close() }
    let terminal = FakeTerminal()
    let reporter = Self.reporter(signer, terminal)
    let app = try signer.pairedApp(name: "Noisy")
    for number in 0..<20 { try signer.deliver(app, "sign_event", [#"{"kind":0,"content":"\#(number)","tags":[]}"#]) }
    signer.core.signerEvents.tell(.requestRefused(remoteSigner: try unwrap(signer.core.engine.pairings.first?.remoteSigner)))
    _ = signer.workers.drain(milliseconds: 5_000)
    reporter.end()
    let said = terminal.said()
    #expect(said.components(separatedBy: "“Noisy” asks you").count - 1 == JournalReporter.fullPerMinute)
    #expect(said.contains("“Noisy” asks 15 more; see: holdfast request list"))
    #expect(said.contains("1 more of “Noisy” was refused, because too many wait for you already."))
  }

  @Test("The terminal names the app, and an app's name cannot move the cursor")
  func theOwnersTerminalNamesTheAppAndAStrangersNameCannotMoveItsCursor() throws {
    let request = try Self.pending()
    let line = Notice.waits(request, app: "Evil\u{1B}[2J\nApp").ownersMessage
    #expect(line.hasPrefix("“Evil[2J App” asks you: Change your profile\n") && !line.contains("\u{1B}"))
  }

  @Test("A request that only waits for the signer to be unlocked is not one to approve") func lockedRequestsNeedNoApproval()
    throws
  {
    let signer = try Signer()
    defer { signer.close() }
    let app = try signer.pairedApp(trust: "full")
    signer.core.sessionLock.lock(AuditRule(clipping: "test"), everything: true)
    try signer.deliver(app, "sign_event", [#"{"kind":0,"content":"{}","tags":[]}"#])
    let request = try unwrap(signer.core.engine.pendingRequests.first)
    let notice = Notice.waits(request, app: "App", home: "/tmp/vault")
    #expect(notice.ownersMessage == "“App” waits until you unlock the signer: Change your profile\n  holdfast unlock")
    #expect(notice.message.hasSuffix("To unlock it: holdfast --home /tmp/vault unlock") && !notice.message.contains("approve"))
  }

  @Test("An app's name, or a relay's reason, in a notice ends no quotation and suggests no command")
  func namesInNoticesSuggestNothing() {
    let name = "Almost done”. To finish: holdfast client trust 0aa3 full, “x"
    let shown = "“Almost done\". To finish: holdfast\u{A0}client trust 0aa3 full"
    #expect(Notice.paired(app: name).ownersMessage.hasPrefix(shown) && Notice.left(app: name).ownersMessage.contains(shown))
    #expect(Notice.lost(relay: nil, why: "gone: holdfast panic").message.contains("gone: holdfast\u{A0}panic. It"))
  }

  @Test("The terminal calls a request what the list of requests calls it") func aRequestHasOneTitle() throws {
    let signer = try Signer()
    defer { signer.close() }
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "nip44_decrypt", [signer.core.engine.pairings[0].identity.hex, "x"])
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    #expect(Notice.waits(waiting, app: "App").ownersMessage.contains("Decrypt something of your own"))
  }

  @Test("In the journal, suggested commands name a home that they would not find; on the owner's terminal they are short")
  func answersNameTheHome() throws {
    let request = try Self.pending()
    let terminal = Notice.waits(request, app: "App", home: "/tmp/trial").ownersMessage
    let id = request.name.prefix(8)
    #expect(terminal.hasSuffix("\n  holdfast request approve \(id)\n  holdfast request deny \(id)"))
    #expect(terminal.components(separatedBy: "\n").count == 3)
    let line = Notice.waits(request, app: "App", home: "/tmp/trial").message
    #expect(line.contains("holdfast --home /tmp/trial request approve \(request.name)"))
    #expect(line.contains("holdfast --home /tmp/trial request deny \(request.name)"))
    let spaced = Notice.waits(request, app: "App", home: "/tmp/my vault").message
    #expect(spaced.contains("holdfast --home '/tmp/my vault' request approve \(request.name)"))
  }

  @Test("The use of a spent link is reported a few times an hour and recorded")
  func aUsedLinkIsToldAFewTimesAnHourAndRecorded() throws {
    let (signer, journal) = (try Signer(), try FakeJournal())
    defer { signer.close() }
    let reporter = try Self.reporter(signer, journal)
    let app = try signer.pairedApp()
    for _ in 0..<(RefusedLinks.perHour + 5) {
      try signer.deliver(try App(signer: app.signer), "connect", [app.signer.hex, "x"])
    }
    #expect(try journal.next("link-refused")["MESSAGE"]?.contains("holdfast pair") == true)
    let count = try signer.entries(.linkRefused).count
    #expect((1...2 * RefusedLinks.perHour).contains(count))  // the test may run over the hour's end
    #expect(signer.service.counts.dropped[.linkSpent] == RefusedLinks.perHour + 5)
    withExtendedLifetime(reporter) {}
  }

  @Test("Wrong secrets from strangers are recorded only a few times an hour")
  func wrongSecretsAreRecordedAFewTimesAnHour() throws {
    let signer = try Signer()
    defer { signer.close() }
    let key = try signer.appWithLink().0.signer
    for _ in 0..<(RefusedLinks.perHour + 20) {
      try signer.deliver(try App(signer: key), "connect", [key.hex, "wrong"])
    }
    let count = try signer.entries(.linkRefused).count
    #expect((1...2 * RefusedLinks.perHour).contains(count))  // the test may run over the hour's end
    #expect(try signer.entries(.requestDecided, .requestDone).isEmpty, "no request is recorded")
    #expect(signer.service.counts.dropped[.connectRefused] == RefusedLinks.perHour + 20)
  }

  @Test("A request for a share, and a guardian's approval of it, are written to the journal")
  func requestsForSharesAreTold() throws {
    let (signer, journal) = (try Signer(), try FakeJournal())
    defer { signer.close() }
    let reporter = try Self.reporter(signer, journal)
    for isAllowed in [false, true] {
      signer.core.signerEvents.tell(
        .shareAsked(ShareAsked(name: "a1", kit: "0d3f", isKeptHere: false, isAllowed: isAllowed)))
      let said = try journal.next("share-asked")["MESSAGE"]
      #expect(said == (isAllowed ? "A guardian agreed to give somebody" : "Somebody asks a guardian for") + " the owner's share.")
    }
    withExtendedLifetime(reporter) {}
  }

  @Test("Locking is written to the journal") func lockingIsTold() throws {
    let (signer, journal) = (try Signer(), try FakeJournal())
    defer { signer.close() }
    let reporter = try Self.reporter(signer, journal)
    try signer.operations.ask("lock")
    #expect(try journal.next("locked")["PRIORITY"] == "5")
    withExtendedLifetime(reporter) {}
  }

  @Test("The terminal says what became of a request that it showed") func theOutcomeOfARequestIsTold() throws {
    let signer = try Signer()
    defer { signer.close() }
    let terminal = FakeTerminal()
    let reporter = Self.reporter(signer, terminal)
    let app = try signer.pairedApp(name: "Phone")
    for verb in ["approve", "deny"] {
      try signer.deliver(app, "sign_event", [#"{"kind":0,"content":"\#(verb)","tags":[]}"#])
      let id = try unwrap(signer.core.engine.pendingRequests.first?.name)
      try signer.operations.ask("request/\(verb)", ["id": .string(id)])
      let told = "\(verb == "approve" ? "Allowed" : "Denied"): Change your profile, for “Phone” (\(id.prefix(8)))."
      #expect(comesTrue { terminal.said().contains(told) })
    }
    signer.core.signerEvents.tell(.requestEnded(name: "never shown", approved: true))
    _ = signer.workers.drain(milliseconds: 5_000)
    #expect(terminal.said().components(separatedBy: "Allowed: ").count == 2)
    withExtendedLifetime(reporter) {}
  }

  @Test(
    "A lockdown and its end are told, and in a trial that nothing but Ctrl-C ends it", arguments: [false, true])
  func aLockdownIsTold(isTrial: Bool) throws {
    let signer = try Signer()
    defer { signer.close() }
    let terminal = FakeTerminal()
    let reporter = Self.reporter(signer, terminal, isTrial: isTrial)
    try signer.operations.ask("panic")
    _ = signer.workers.drain(milliseconds: 5_000)
    let said = terminal.said()
    #expect(said.contains("locked down: no app is served") && said.contains(isTrial ? "Ctrl-C ends it" : "holdfast resume"))
    #expect(!isTrial || !said.contains("resume"))
    guard !isTrial else { return }
    try signer.operations.ask("unlock", secrets: owner)
    _ = signer.workers.drain(milliseconds: 5_000)
    #expect(comesTrue { terminal.said().contains("still locked down: every use of a key asks you") })
    #expect(!terminal.said().contains("The lockdown has ended."))
    try signer.operations.ask("resume", secrets: owner)
    _ = signer.workers.drain(milliseconds: 5_000)
    #expect(comesTrue { terminal.said().contains("The lockdown has ended.") })
    withExtendedLifetime(reporter) {}
  }

  @Test("Problems are reported when they begin and end") func problemsAreToldWhenTheyComeAndGo() throws {
    let (signer, journal) = (try Signer(), try FakeJournal())
    defer { signer.close() }
    let reporter = try Self.reporter(signer, journal)
    var seen = Observation(
      counters: Counters(), relays: [], embedded: .init(connections: 0, subscriptions: 0, kept: 0), identities: 1, pairings: 0,
      links: 0, waiting: 0, queued: 0, logEntries: 0, logBytes: 0, freeDiskBytes: 0, memoryKiB: 0, uptime: 100, isLocked: false,
      isSuspended: false, now: 1_790_000_000)
    reporter.look(at: seen)
    reporter.look(at: seen)
    seen.freeDiskBytes = .max
    reporter.look(at: seen)
    _ = try journal.next("started")
    #expect(try journal.next()["HOLDFAST_PROBLEM"] == "disk-nearly-full")
    #expect(try journal.next()["HOLDFAST_EVENT"] == "problem-over")
  }

  @Test("A flood of journal lines is cut, and the number left out is reported") func aFloodOfLinesIsCutShort() throws {
    let (signer, journal) = (try Signer(), try FakeJournal())
    defer { signer.close() }
    signer.stopClock(at: signer.now)
    let reporter = try Self.reporter(signer, journal)
    for number in 0..<500 { signer.core.signerEvents.tell(.incident(Incident(severity: .minor, text: "\(number)", time: 0))) }
    _ = signer.workers.drain(milliseconds: 20_000)
    let read = journal.drain()
    #expect((1...JournalReporter.linesPerMinute).contains(read))  // a socket holds fewer lines than a minute may have
    signer.stopClock(at: signer.now + 60)
    signer.core.signerEvents.tell(.incident(Incident(severity: .critical, text: "last", time: 0)))
    #expect(try journal.next("left-out")["HOLDFAST_COUNT"] == "\(501 - read)")
    #expect(try journal.next("incident")["PRIORITY"] == "2")
    withExtendedLifetime(reporter) {}
  }

  @Test("A log pipe that nobody reads does not block the signer") func aPipeNobodyReadsDoesNotHoldTheSigner() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let writer = NoticeWriter.file(ends[1])
    for _ in 0..<10_000 { _ = writer.write(.started, now: 1_790_000_000) }  // far more than a pipe holds
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(ends[0], &buffer, buffer.count)
    let first = String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(separator: "\n").first
    #expect(
      first
        == #"time=2026-09-21T14:13:20Z level=notice event=started version=\#(Version.text) message="Holdfast \#(Version.text) is running.""#
    )
  }

  @Test("The signer knows whether its standard error leads to the journal")
  func knowsWhetherStandardErrorLeadsToTheJournal() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var status = stat()
    fstat(ends[1], &status)
    #expect(JournalStream.isBehind(ends[1], "\(status.st_dev):\(status.st_ino)"))
    for other in [nil, "", ":", "1:2:3", "x:y", "\(status.st_dev):\(status.st_ino + 1)"] {
      #expect(!JournalStream.isBehind(ends[1], other))
    }
  }

  private static func pending() throws -> PendingRequest {
    let signer = try Signer()
    defer { signer.close() }
    let app = try signer.pairedApp()
    try signer.deliver(app, "sign_event", [#"{"kind":0,"content":"{}","tags":[]}"#])
    return try unwrap(signer.core.engine.pendingRequests.first)
  }
}
