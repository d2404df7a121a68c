import AuditLog
import Curve
import DaemonSupport
import Identities
import JSON
import Platform
import RemoteSigning
import Testing
import Vault

@testable import Observability
@testable import Signer
@testable import Sockets

/// What `/healthz`, `/metrics` and `status` say.
@Suite struct ObservingTests {
  /// A signer that does well, on a machine that does, too.
  private static func healthy() -> Observation {
    Observation(
      counters: Counters(), relays: [], embedded: .init(connections: 1, subscriptions: 2, kept: 3), identities: 1, pairings: 2,
      links: 0, waiting: 0, queued: 0, logEntries: 10, logBytes: 1000, freeDiskBytes: 1 << 40, memoryKiB: 8192, uptime: 100,
      isLocked: false, isSuspended: false, now: 1_790_000_000)
  }

  @Test("A duration is counted in the first bucket whose bound it does not exceed")
  func durationsFallIntoTheBucketWhoseBoundTheyDoNotExceed() {
    var histogram = Histogram(bounds: [10, 20])
    for duration: UInt64 in [0, 10, 11, 20, 21, .max] { histogram.observe(duration) }
    #expect(histogram.counts == [2, 2, 2] && histogram.count == 6)
  }

  @Test("A percentile is given as the bound of the first bucket that reaches it")
  func aShareIsBoundedByTheFirstBucketThatHoldsIt() {
    var histogram = Histogram(bounds: [10, 20, 30])
    #expect(histogram.bound(of: 0.5) == nil)
    for duration: UInt64 in [5, 5, 15, 99] { histogram.observe(duration) }
    #expect(histogram.bound(of: 0.5) == 10 && histogram.bound(of: 0.75) == 20 && histogram.bound(of: 0.99) == nil)
  }

  @Test("Methods are numbered without gaps, so that each has a counter") func countersHaveAPlaceForEachMethodAndVerdict() {
    #expect(AuditMethod.allCases.map { Int($0.rawValue) } == Array(AuditMethod.allCases.indices))
  }

  @Test("Requests are counted by method and decision") func requestsAreCountedByMethodAndDecision() throws {
    let signer = try Signer()
    defer { signer.close() }
    let app = try signer.pairedApp()
    _ = try signer.ask(app, "ping")
    _ = try signer.ask(app, "no_such_method")
    _ = try signer.ask(app, "sign_event", [#"{"kind":1,"content":"a","tags":[]}"#])
    try signer.deliver(app, "sign_event", [#"{"kind":0,"content":"{}","tags":[]}"#])
    let counts = signer.service.counts
    #expect(counts.count(of: .connect, .allow) == 1 && counts.count(of: .ping, .allow) == 1)
    #expect(counts.count(of: .other, .error) == 1)
    #expect(counts.count(of: .signEvent, .allow) == 1 && counts.count(of: .signEvent, .ask) == 1)
    #expect(counts.latency.count == UInt64(counts.answered))
  }

  @Test("An answer that no relay accepted is counted but not timed") func anAnswerNobodyTookIsCountedAndNotTimed() throws {
    let signer = try Signer()
    defer { signer.close() }
    let app = try signer.pairedApp()
    let before = signer.service.counts
    signer.relay.take(false)
    try signer.deliver(app, "ping")
    let after = signer.service.counts
    #expect(after.unpublished == before.unpublished + 1 && after.latency.count == before.latency.count)
  }

  @Test("The time that the owner takes to answer is measured") func theOwnersTimeToAnswerIsMeasured() throws {
    let signer = try Signer()
    defer { signer.close() }
    signer.core.meters.listen(to: signer.core.signerEvents, known: [], now: { signer.now + 7 })
    let app = try signer.pairedApp()
    try signer.deliver(app, "sign_event", [#"{"kind":0,"content":"{}","tags":[]}"#])
    let id = try unwrap(signer.core.engine.pendingRequests.first?.name)
    try signer.operations.ask("request/approve", ["id": .string(id)])
    signer.settle()
    let wait = signer.service.counts.approvalWait
    #expect(wait.count == 1 && (7...9).contains(wait.sum / 1_000_000_000))
  }

  @Test("A healthy signer reports no problem") func nothingIsWrongWithAHealthySigner() {
    #expect(Self.healthy().problems.isEmpty)
  }

  @Test("Each problem is named") func eachTroubleIsNamed() {
    func with(_ change: (inout Observation) -> Void) -> [Problem] {
      var seen = Self.healthy()
      change(&seen)
      return seen.problems
    }
    #expect(with { $0.isLocked = true } == [.locked])
    #expect(with { $0.isSuspended = true } == [.suspended])
    #expect(Problem.suspended.text(isLocked: false) == "The signer is locked down: every use of a key asks you.")
    #expect(
      !Problem.suspended.hint(isLocked: false).contains("unlock") && Problem.suspended.hint(isLocked: true).contains("unlock"))
    #expect(with { $0.counters.isUnrecordable = true } == [.notRecording])
    #expect(with { $0.freeDiskBytes = 1 << 20 } == [.diskNearlyFull])
    #expect(with { $0.embedded = .init(connections: 1_536, subscriptions: 0, kept: 0) } == [.relayFull])
    #expect(with { $0.counters.lastTooMany = $0.now } == [.tooManyRequests])
    #expect(with { ($0.connections.lastShortage, $0.monotonic) = (1_000, 200_000) } == [.connectionsShort])
    #expect(with { ($0.connections.lastShortage, $0.monotonic) = (1_000, 400_000) } == [])
    #expect(with { $0.isCheckpointFailing = true } == [.checkpointFailing])
    #expect(with { $0.isRetentionFailing = true } == [.retentionFailing])
    #expect(with { $0.isLogHeadFailing = true } == [.logHeadFailing])
    #expect(with { $0.now = 1_000_000_000 } == [.clockImplausible])
    #expect(with { $0.now = .max } == [.clockImplausible])
    #expect(with { $0.embedded = nil } == [.noRelay])
    #expect(with { ($0.embedded, $0.uptime) = (nil, 1) }.isEmpty)  // relays need a moment after the start
  }

  @Test("Refused requests are a problem for one minute, even if the clock is set back")
  func requestsThatWereRefusedAreAProblemForAMinute() {
    func problems(after seconds: Int64) -> [Problem] {
      var seen = Self.healthy()
      seen.counters.lastTooMany = seen.now - seconds
      return seen.problems
    }
    #expect(problems(after: 59) == [.tooManyRequests])
    #expect(problems(after: 60).isEmpty)
    #expect(problems(after: -1).isEmpty, "a clock that was set back makes no lasting problem")
  }

  @Test("Health is reported by HTTP status and by word, with the names of problems") func healthIsToldByStatusAndWord() {
    var seen = Self.healthy()
    let good = Monitoring.health(seen)
    seen.isLocked = true
    let bad = Monitoring.health(seen)
    #expect(good.status == 200 && bad.status == 503)
    #expect((try? JSONValue(parsing: good.body.openBytes))?["status"]?.string == "ok")
    #expect((try? JSONValue(parsing: bad.body.openBytes))?["status"]?.string == "degraded")
    #expect((try? JSONValue(parsing: bad.body.openBytes))?["problems"] == ["locked"])
  }

  @Test(
    "Monitoring accepts only an address or localhost as the host",
    arguments: [
      ("127.0.0.1:24133", true), ("127.0.0.1", true), ("localhost:24133", true), ("[::1]:24133", true), ("192.168.1.7:9", true),
      ("evil.example", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example:24133", false), ("", false),
      ("[evil.example]", false), ("[]", false), ("1.2.3", false), ("1.2.3.999", false), ("+1.2.3.4", false),
    ])
  func onlyAddressesAreTakenAsHost(host: String, isTaken: Bool) { #expect(Monitoring.isAddress(host: host) == isTaken) }

  @Test(
    "Figures are given by address only, and metrics on this machine only",
    arguments: [
      ("127.0.0.1", false, "/healthz", "127.0.0.1:24133", 200), ("127.0.0.1", false, "/healthz", "evil.example", 421),
      ("127.0.0.1", false, "/metrics", "127.0.0.1:24133", 200), ("127.0.0.1", false, "/metrics", "evil.example", 421),
      ("0.0.0.0", false, "/healthz", "192.0.2.1", 200), ("0.0.0.0", false, "/metrics", "192.0.2.1", 404),
      ("0.0.0.0", true, "/metrics", "signer.example", 200),
    ] as [(String, Bool, String, String, Int)])
  func figuresAreForThoseTheyAreFor(listener: String, isOpen: Bool, path: String, host: String, status: Int) throws {
    let workers = Workers(count: 1)
    let monitoring = Monitoring(host: listener, isOpen: isOpen, workers)
    monitoring.begin { Self.healthy() }
    let got = Locked<Int?>(nil)
    let request = HTTPRequest(
      method: "GET", path: path, query: [], headers: [HTTPHeader("host", host)], body: [],
      peer: .tcp(address: "192.0.2.7", port: 1))
    monitoring.answer(request) { response in got.change { $0 = response.status } }
    #expect(got.wait(milliseconds: 20_000, until: { $0 }) == status)
    workers.close()
  }

  @Test(
    "Only loopback listeners count as local to this machine",
    arguments: [
      ("127.0.0.1", true), ("localhost", true), ("::1", true), ("127.9.9.9", true), ("0.0.0.0", false), ("::", false),
    ])
  func knowsWhichListenersAreThisMachinesOnly(host: String, isLocal: Bool) { #expect(Monitoring.isLoopback(host) == isLocal) }

  @Test(
    "A relay's metric label holds no path, query or user",
    arguments: [
      ("wss://relay.example/", "wss://relay.example"), ("wss://relay.example:4848/key/abc?token=x", "wss://relay.example:4848"),
      ("ws://user:word@relay.example/", "ws://relay.example"), ("ws://[::1]:7/relay", "ws://[::1]:7"), ("nonsense", "unknown"),
    ])
  func aRelaysLabelHoldsNoPathQueryOrUser(url: String, label: String) { #expect(Metrics.origin(url) == label) }

  @Test("Metric labels are escaped") func labelsAreEscaped() { #expect(PrometheusText.escaped("a\\b\"c\nd") == #"a\\b\"c\nd"#) }

  @Test(
    "Durations are written exactly, in seconds",
    arguments: [(0, "0"), (1, "0.000000001"), (250_000, "0.00025"), (1_500_000_000, "1.5"), (60_000_000_000, "60")])
  func secondsAreWrittenExactly(nanoseconds: UInt64, text: String) { #expect(PrometheusText.seconds(nanoseconds) == text) }

  @Test("Metrics name no app, key or person") func metricsNameNobody() throws {
    let signer = try Signer()
    defer { signer.close() }
    let app = try signer.pairedApp(name: "Canary App")
    _ = try signer.ask(app, "sign_event", [#"{"kind":1,"content":"canary text","tags":[]}"#])
    var seen = Self.healthy()
    seen.counters = signer.service.counts
    let text = Metrics.text(seen)
    let private_ = [app.key.publicKey.hex, app.signer.hex, try signer.identity.publicKey.hex, "Canary", "canary", "main"]
    #expect(private_.allSatisfy { !text.contains($0) })
    #expect(text.contains(#"holdfast_requests_total{method="sign_event",decision="allow"} 1"#))
  }
}
