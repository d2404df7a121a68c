internal import Console
internal import JSON
internal import LocalAccess
internal import Locks
internal import Relays
internal import Sockets

/// The daemon's one port without the daemon: relay, console, and a page that says what was asked.
struct Front: Sendable {
  /// Time stands still, so that an input does the same in every run.
  private static let now: Int64 = 1_700_000_000
  private static let relayPath = "/relay"
  private static let echoPath = "/echo"

  private let relay: EmbeddedRelay
  private let console: Locked<Console?>
  private let loop: EventLoop
  private let work: @Sendable (@escaping @Sendable () -> Void) -> Bool

  init(_ loop: EventLoop, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
    (self.loop, self.work, console) = (loop, work, Locked(nil))
    relay = EmbeddedRelay(hooks: .init(work: work, deliver: { _, _ in }, now: { Self.now }))
  }

  var service: Service {
    Service(http: { request, answer in
      if request.path == Self.echoPath { return echo(request, answer) }
      if request.path == Self.relayPath { return answer(HTTPResponse(status: 200, body: relay.information(version: "fuzz"))) }
      console.withLock { $0 }?.answer(request, answer)
    }) { request in
      if request.path == Self.relayPath { return relay.upgrade() }
      return console.withLock { $0 }?.upgrade(request) ?? .refuse(HTTPResponse(status: 503, text: "Not yet."))
    }
  }

  /// The console behind its door, for this port.
  func open(port: UInt16) throws {
    let (loop, work) = (loop, work)
    let origins = ["localhost", "127.0.0.1"].compactMap { ConsoleOrigin(parsing: $0, isSecure: false, port: port) }
    let made = try Console(
      .init(origins: origins, takesAnyAddress: false, isSecure: false, port: port, version: "fuzz"),
      ConsoleHooks(
        perform: { request, answer in answer(.success(["did": .string(request.operation)])) }, work: work,
        passkeys: PasskeyStorage(load: { [] }, put: { _, _ in true }, remove: { _ in true }), passkeySlots: { [] },
        record: { _ in }, isFirstRun: { true },
        after: { milliseconds, job in loop.after(milliseconds: milliseconds, job) },
        now: { ConsoleTime(wall: Self.now, steady: 1_000_000) }))
    console.withLock { $0 = made }
  }

  /// Method and body, and many of the latter if a query asks: at once, later on this thread, or from another one.
  private func echo(_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) {
    let times = min(request.query("times").flatMap { Int($0) } ?? 1, 1_000)
    let body = Array("\(request.method) ".utf8) + [[UInt8]](repeating: request.body, count: max(1, times)).joined()
    let say: @Sendable () -> Void = { answer(HTTPResponse(status: 200, body: body)) }
    switch request.query("when") {
    case "later": loop.after(milliseconds: 3, say)
    case "worker": if !work(say) { say() }
    case "never": break
    default: say()
    }
  }
}

/// A control socket that does every operation at once.
func controlService() -> Service {
  ControlService { request, answer in answer(.success(["did": .string(request.operation)])) }.service
}
