import Console
import JSON
import LocalAccess
import OwnerAPI
import Platform
import Relays
import Sockets

/// The daemon's one port without the daemon: relay, console, and a page that says what was asked.
struct Endpoint: Sendable {
  /// Time stands still, so that an input does the same in every run.
  private static let now: Int64 = 1_700_000_000
  private static let relayPath = "/relay"
  private static let echoPath = "/echo"
  private static let dialPath = "/dial"

  private let relay: EmbeddedRelay
  private let console: Locked<Console?>
  private let loop: EventLoop
  private let work: @Sendable (@escaping @Sendable () -> Void) -> Bool

  init(_ loop: EventLoop, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
    (self.loop, self.work, console) = (loop, work, Locked(nil))
    relay = EmbeddedRelay(hooks: .init(work: { _, job in work(job) }, deliver: { _, _ in }, now: { Self.now }))
  }

  var service: Service {
    Service(http: { request, answer in
      if request.path == Self.echoPath { return echo(request, answer) }
      if request.path == Self.dialPath { return answer(dial(request)) }
      if request.path == Self.relayPath { return answer(HTTPResponse(status: 200, body: relay.information(version: "fuzz"))) }
      console.withLock { $0 }?.answer(request, answer)
    }) { request in
      if request.path == Self.relayPath { return relay.upgrade(request) }
      return console.withLock { $0 }?.upgrade(request) ?? .refuse(HTTPResponse(status: 503, text: "Not yet."))
    }
  }

  /// Makes the console, with its origin check for this port.
  func open(port: UInt16) throws {
    let (loop, work) = (loop, work)
    let origins = ["localhost", "127.0.0.1"].compactMap { ConsoleOrigin(parsing: $0, isSecure: false, port: port) }
    let made = try Console(
      .init(origins: origins, takesAnyAddress: false, isSecure: false, port: port, version: "fuzz"),
      ConsoleHooks(
        perform: { request, answer in answer(.success(["did": .string(request.operation)])) }, work: work,
        passkeys: PasskeyStorage(load: { [] }, put: { _, _ in true }, remove: { _ in true }), passkeySlots: { [] },
        record: { _ in }, sessionEnded: { _ in }, isFirstRun: { true }, hasPassphrase: { true }, isLocked: { false },
        isLockedDown: { false },
        after: { milliseconds, job in loop.after(milliseconds: milliseconds, job) },
        now: { ConsoleTime(wall: Self.now, steady: 1_000_000) }))
    console.withLock { $0 = made }
  }

  /// Connects to a relay on the port that is named, which is the fuzzer's.
  private func dial(_ request: HTTPRequest) -> HTTPResponse {
    let port = request.query("port") ?? ""
    guard let url = try? WebSocketURL(parsing: "ws://127.0.0.1:\(port)/") else {
      return HTTPResponse(status: 400, text: "Which port?")
    }
    loop.connect(to: url, options: ConnectOptions(webSocket: .init(messageBytes: 64 << 10)), handler: Dialled())
    return HTTPResponse(status: 200, text: "dialled")
  }

  /// Method and body, and many of the latter if a query asks: at once, later on this thread, or from another one.
  private func echo(_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) {
    let times = max(1, min(request.query("times").flatMap { Int($0) } ?? 1, 1_000))
    var body = Array("\(request.method) ".utf8)
    body.reserveCapacity(body.count + times * request.body.count)
    for _ in 0..<times { body.append(contentsOf: request.body) }
    let say: @Sendable () -> Void = { [body] in answer(HTTPResponse(status: 200, body: body)) }
    switch request.query("when") {
    case "later": loop.after(milliseconds: 3, say)
    case "worker": if !work(say) { say() }
    case "never": break
    default: say()
    }
  }
}

/// Says something to a relay at first, and what it hears back to it.
private final class Dialled: WebSocketHandler {
  func opened(_ webSocket: WebSocket) { webSocket.send(Array(#"["REQ","s",{"limit":1}]"#.utf8)) }
  func received(_ webSocket: WebSocket, text: [UInt8]) {
    webSocket.send(text)
    if text.count % 7 == 1 { webSocket.close() }
  }
  func closed(_ webSocket: WebSocket, reason: CloseReason) {}
}

/// A control socket that does every operation at once.
func controlService() -> Service {
  ControlService { request, answer in answer(.success(["did": .string(request.operation)])) }.service
}
