import Encodings
import Platform
import Sockets
import WebPush

/// Answers the push service or proxy that posts messages to the listener.
final class WakeReceiver: Sendable {
  private let keys: WakeKeys
  private let spool: WakeSpool
  private let inbox: Locked<PushInbox>
  private let wake: @Sendable (PushedRequest) -> Void

  /// - Parameter wake: starts a wake for a request whose push is in the spool.
  init(_ keys: WakeKeys, _ spool: WakeSpool, _ limits: PushInbox.Limits, wake: @escaping @Sendable (PushedRequest) -> Void) {
    (self.keys, self.spool, self.wake) = (keys, spool, wake)
    inbox = Locked(PushInbox(limits, now: Clock.bootMilliseconds))
  }

  /// Takes up what an ended listener left.
  func resume(_ pushes: [PushedRequest]) {
    for push in pushes {
      inbox.withLock { $0.note(push, now: Clock.bootMilliseconds) }
      wake(push)
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
    let response = read(request.body, now: now)
    if !response.startsWake { inbox.withLock { $0.noteFutile(now: now) } }
    return response.http
  }

  /// What a message is answered, and whether it started a wake.
  private typealias Taken = (http: HTTPResponse, startsWake: Bool)

  private func read(_ body: [UInt8], now: Int64) -> Taken {
    do throws(WebPushError) {
      guard let push = PushedRequest(payload: try keys.decrypt(body)) else {
        return (HTTPResponse(status: 400, text: "The message names no request."), false)
      }
      return take(push, now: now)
    } catch .bodyTooLong { return (HTTPResponse(status: 413, text: "The message is too long."), false) } catch {
      return (HTTPResponse(status: 400, text: "The message cannot be decrypted."), false)
    }
  }

  private func take(_ push: PushedRequest, now: Int64) -> Taken {
    switch inbox.withLock({ $0.take(push, now: now) }) {
    case .known: return (HTTPResponse(status: 201), false)
    case .tooMany: return (Self.later(429), false)
    case .wake: break
    }
    do throws(WakeListeningError) { try spool.add(push) } catch {
      inbox.withLock { $0.end(push.id, isForgotten: true) }
      return (Self.later(503), false)
    }
    wake(push)
    return (HTTPResponse(status: 201), true)
  }

  /// The sender tries again.
  private static func later(_ status: Int) -> HTTPResponse {
    HTTPResponse(status: status, headers: [HTTPHeader("retry-after", "3")])
  }
}
