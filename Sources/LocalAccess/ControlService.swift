import JSON
public import OwnerAPI
import Platform
import SecretMemory
public import Sockets

/// The daemon's side of the control socket: converts an HTTP request of one of the owner's processes into an operation.
public struct ControlService: Sendable {
  /// Performs an operation and calls back once, from any thread.
  public typealias Handler =
    @Sendable (_ request: ControlRequest, _ answer: @escaping @Sendable (ControlResponse) -> Void) -> Void

  private let handler: Handler
  private let refused: @Sendable () -> Void
  private let peerCheck = ControlPeerCheck(owner: geteuid())

  /// - Parameters:
  ///   - refused: called on the loop thread when a process of another user, or no local process, sent a request.
  ///   - handler: runs on the loop thread; it must pass the work on at once.
  public init(refused: @escaping @Sendable () -> Void = {}, _ handler: @escaping Handler) {
    (self.refused, self.handler) = (refused, handler)
  }

  /// The service for `EventLoop.listen` on a Unix socket.
  public var service: Service {
    Service(http: { request, answer in self.take(request, answer) })
  }

  private func take(_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) {
    let body = request.body
    // Wipe in place: a copy made for writing would leave the original bytes. The request ends here, and nobody else reads them.
    defer { body.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) } }
    do throws(ControlPeerCheck.Refusal) {
      let admitted = try peerCheck.admit(method: request.method, path: request.path, body: body, uid: Self.uid(of: request.peer))
      handler(admitted) { response in answer(Self.http(response)) }
    } catch {
      if error.isStranger { refused() }
      answer(Self.http(error.response, status: error.status))
    }
  }

  private static func http(_ response: ControlResponse, status: Int = 200) -> HTTPResponse {
    guard !response.secrets.isEmpty else { return HTTPResponse(status: status, json: response.json.serialized()) }
    guard let body = try? response.framed() else {
      return HTTPResponse(status: 200, json: ControlResponse.notInMemory.json.serialized())
    }
    return HTTPResponse(status: status, secretJSON: body)
  }

  private static func uid(of peer: Peer) -> UInt32? {
    guard case .unix(_, let uid, _) = peer else { return nil }
    return uid
  }
}
