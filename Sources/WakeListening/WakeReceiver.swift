import Encodings
import Platform
import Sockets
import WebPush

/// Answers the push service or proxy that posts messages to the listener.
final class WakeReceiver: Sendable {
  private let keys: WakeKeys
  private let spool: WakeSpool
  private let inbox: Locked<PushInbox>
  private let wake: @Sendable (Bytes32) -> Void

  /// - Parameter wake: starts a wake for a request whose push is in the spool.
  init(_ keys: WakeKeys, _ spool: WakeSpool, _ limits: PushInbox.Limits, wake: @escaping @Sendable (Bytes32) -> Void) {
    (self.keys, self.spool, self.wake) = (keys, spool, wake)
    inbox = Locked(PushInbox(limits, now: Clock.bootMilliseconds))
  }

  /// Takes up what an ended listener left.
  func resume(_ requests: [Bytes32]) {
    for request in requests {
      inbox.withLock { $0.note(request, now: Clock.bootMilliseconds) }
      wake(request)
    }
  }

  /// A wake is over.
  func ended(_ run: WakeRun) {
    inbox.withLock { $0.end(run.request, isForgotten: run.exit == nil || run.exit == 1) }
  }

  /// Runs on the loop thread, which has nothing else to do.
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard keys.isOurs(request.path) else { return HTTPResponse(status: 404, text: "There is nothing here.") }
    guard request.method == "POST" else {
      return HTTPResponse(status: 405, headers: [HTTPHeader("allow", "POST")])
    }
    let now = Clock.bootMilliseconds
    guard inbox.withLock({ $0.mayRead(now: now) }) else { return Self.later(429) }
    let push: PushedRequest
    do throws(WebPushError) {
      guard let read = PushedRequest(payload: try keys.decrypt(request.body)) else {
        return HTTPResponse(status: 400, text: "The message names no request.")
      }
      push = read
    } catch .bodyTooLong { return HTTPResponse(status: 413, text: "The message is too long.") } catch {
      return HTTPResponse(status: 400, text: "The message cannot be decrypted.")
    }
    return take(push, now: now)
  }

  private func take(_ push: PushedRequest, now: Int64) -> HTTPResponse {
    switch inbox.withLock({ $0.take(push.id, now: now) }) {
    case .known: return HTTPResponse(status: 201)
    case .tooMany: return Self.later(429)
    case .wake: break
    }
    do throws(WakeListeningError) { try spool.add(push) } catch {
      inbox.withLock { $0.end(push.id, isForgotten: true) }
      return Self.later(503)
    }
    wake(push.id)
    return HTTPResponse(status: 201)
  }

  /// The sender tries again.
  private static func later(_ status: Int) -> HTTPResponse {
    HTTPResponse(status: status, headers: [HTTPHeader("retry-after", "3")])
  }
}
