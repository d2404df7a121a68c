import Curve
import Encodings
import JSON
import Nostr
import Platform
import Sockets

/// A push proxy that does what a test wants. It checks who asks as the real one does.
final class StubProxy: Sendable {
  struct Asked: Sendable, Equatable {
    let path: String
    let key: PublicKey
    let body: JSONValue
  }

  private struct State {
    var asked: [Asked] = []
    var refused = 0
    /// Given in place of `{"ok":true}`, the first one first.
    var answers: [(status: Int, body: String)] = []
  }

  private let loop: EventLoop
  private let listener: Listener
  private let state: Locked<State>

  init() throws {
    let state = Locked(State())
    let port = Locked<UInt16>(0)
    (self.state, loop) = (state, try EventLoop())
    loop.start()
    listener = try loop.listen(
      Listener.Options(.tcp(host: "127.0.0.1", port: 0)),
      service: Service(http: { request, answer in
        if request.path == "/health" { return answer(HTTPResponse(json: Array(#"{"ok":true}"#.utf8))) }
        let url = "http://127.0.0.1:\(port.withLock { $0 })" + request.path
        let proof = try? NIP98.check(
          Array((request.header("authorization") ?? "").utf8), url: url, method: "POST", body: request.body, now: Clock.seconds)
        let (status, body) = state.change { state in
          guard let proof, let json = try? JSONValue(parsing: request.body) else {
            state.refused += 1
            return (401, #"{"error":"unauthorized"}"#)
          }
          state.asked.append(Asked(path: request.path, key: proof.pubkey, body: json))
          return state.answers.isEmpty ? (200, #"{"ok":true}"#) : state.answers.removeFirst()
        }
        answer(HTTPResponse(status: status, json: Array(body.utf8)))
      }))
    port.withLock { $0 = listener.port }
  }

  var address: String { "http://127.0.0.1:\(listener.port)" }

  func answer(_ status: Int, _ body: String) { state.withLock { $0.answers.append((status, body)) } }

  var refused: Int { state.withLock { $0.refused } }

  var all: [Asked] { state.withLock { $0.asked } }

  /// What was asked, once it is so much.
  func asked(_ count: Int) -> [Asked]? { state.wait(milliseconds: 20_000) { $0.asked.count >= count ? $0.asked : nil } }

  func stop() { loop.stop() }
}
