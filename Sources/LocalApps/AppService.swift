import Curve
import Encodings
import Identities
import JSON
import Nostr
import Platform
package import RemoteSigning
package import Signer
package import Sockets

/// Answers programs on this machine, over the apps' socket.
package final class AppService: Sendable {
  let desk: AppDesk
  let reader = CallerReader()
  let workers: Workers
  /// Bytes of requests that no worker has taken up yet.
  let bytes = Locked(0)
  private let refused: @Sendable () -> Void

  /// - Parameters:
  ///   - answers: gets every answer of the signing service that has a `local` part.
  ///   - trust: what a program gets that was not seen before; nil to ask the owner at its first use.
  ///   - refused: called when a process of another user connects.
  package init(
    _ home: OpenedHome, _ service: SigningService, _ workers: Workers, _ answers: LocalAnswers, trust: TrustLevel?,
    refused: @escaping @Sendable () -> Void
  ) {
    desk = AppDesk(callers: Callers(home, trust: trust), answers: answers, service: service)
    (self.workers, self.refused) = (workers, refused)
  }

  /// The service for `EventLoop.listen`.
  package var lines: Service {
    Service(lines: LineLimits(lineBytes: AppSocket.lineBytes, sendQueueBytes: 2 * AppSocket.lineBytes)) { [self] connection in
      guard case .unix(_, let user, _) = connection.peer, user == geteuid() else {
        refused()
        connection.close()
        return Ignoring()
      }
      // It has ended already, or runs where the signer cannot see it, as outside of the signer's container.
      guard let process = connection.process else {
        connection.send(AppAnswer.line(.failure(.unseen), to: .null))
        connection.close()
        return Ignoring()
      }
      let program = AskingProgram(self, process, user: user) { [weak connection] in connection?.noteUse() }
      return AppConnection(program)
    }
  }
}

/// A connection that is closed at once.
private struct Ignoring: LineHandler {
  func received(_ connection: LineConnection, line: [UInt8]) {}
  func closed(_ connection: LineConnection) {}
}

/// The answers that programs wait for.
package final class LocalAnswers: Sendable {
  typealias Taker = @Sendable (_ answer: JSONValue) -> Void
  private struct Entry: Sendable { let take: Taker }

  private let waiting = Locked<[String: Entry]>([:])

  package init() {}

  func expect(_ id: Bytes32, _ take: @escaping Taker) { waiting.withLock { $0[id.hex] = Entry(take: take) } }

  func forget(_ id: Bytes32) -> Bool { waiting.withLock { $0.removeValue(forKey: id.hex) } != nil }

  /// Passes an answer on.
  /// - Parameter json: `{"id":…,"result":…}`.
  /// - Returns: false when nobody waits for it any more.
  package func deliver(_ json: [UInt8]) -> Bool {
    guard let answer = try? JSONValue(parsing: json), let id = answer["id"]?.string,
      let entry = waiting.withLock({ $0.removeValue(forKey: id) })
    else { return false }
    entry.take(answer)
    return true
  }
}
