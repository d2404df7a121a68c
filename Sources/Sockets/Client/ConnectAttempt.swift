import CWebSockets
import Platform

/// How a WebSocket client connects.
public struct ConnectOptions: Sendable {
  /// Limits of the WebSocket once it is open.
  public var webSocket: WebSocketOptions
  /// Milliseconds until the WebSocket must be open, including the name look-up.
  public var milliseconds: Int
  /// For `wss` only.
  public var authorities: TrustedAuthorities
  /// Whether addresses on this machine and inside the owner's network are allowed. This is checked after the name look-up, on the
  /// very addresses that are tried, because a name may have had another address a moment ago (DNS rebinding).
  public var reachesInside = true
  /// Which addresses count as inside in addition to the private ones. Asked before each connection.
  var ownNetworks: @Sendable () -> OwnNetworks = { OwnNetworks.now() }

  /// The default limits and the system's authorities, unless others are given.
  public init(
    webSocket: WebSocketOptions = WebSocketOptions(), milliseconds: Int = SocketLimits.connectMilliseconds,
    authorities: TrustedAuthorities = .system
  ) {
    self.webSocket = webSocket
    self.milliseconds = milliseconds
    self.authorities = authorities
  }
}

extension EventLoop {
  /// Connects to a server. Returns at once. `handler` receives `opened` or `closed` later, on the loop thread.
  ///
  /// TLS: version 1.2 or later, the chain must lead to `options.authorities` and the certificate must name the URL's host.
  /// A certificate for a literal IPv6 address is not matched by libwebsockets 4.1 and is refused.
  @discardableResult
  public func connect(
    to url: WebSocketURL, options: ConnectOptions = ConnectOptions(), handler: any WebSocketHandler
  ) -> WebSocket {
    let webSocket = WebSocket(loop: self, peer: .unknown, options: options.webSocket, handler: handler)
    let attempt = ConnectAttempt(loop: self, url: url, options: options, webSocket: webSocket)
    post { attempt.begin() }
    return webSocket
  }
}

/// Gets from a URL to an open WebSocket: looks the name up, then tries one address after the other. Belongs to the loop thread.
final class ConnectAttempt: @unchecked Sendable {  // Sendable: used on the loop thread only; other threads only hold it
  private let loop: EventLoop
  private let url: WebSocketURL
  private let options: ConnectOptions
  private weak var webSocket: WebSocket?
  private var held: WebSocket?  // keeps it alive during the attempt, even if the caller drops it
  private var addresses: ArraySlice<String> = []
  private var deadline: Timer?
  private var isOver = false

  init(loop: EventLoop, url: WebSocketURL, options: ConnectOptions, webSocket: WebSocket) {
    self.loop = loop
    self.url = url
    self.options = options
    self.webSocket = webSocket
    held = webSocket
  }

  func begin() {
    guard let webSocket, !isOver else { return }
    guard !loop.refusesNewSessions else { return webSocket.ended(.stopped) }
    webSocket.attempt = self
    if webSocket.isClosing { return webSocket.ended(.closedHere(code: 1000)) }
    deadline = loop.after(milliseconds: options.milliseconds) { [weak self] in self?.webSocket?.abandon(.timedOut) }
    loop.resolver.resolve(url.host) { [self] found in loop.post { [self] in resolved(found) } }
  }

  /// The WebSocket is open.
  func succeeded() { finish() }

  /// The WebSocket has ended.
  func cancelled() { finish() }

  /// Tries the next address. False if there is none.
  func tryNext() -> Bool {
    guard !isOver, let address = addresses.popFirst() else { return false }
    return connect(to: address)
  }

  private func finish() {
    isOver = true
    deadline?.cancel()
    deadline = nil
    held = nil
  }

  private func resolved(_ found: [String]) {
    guard !isOver, let webSocket else { return }
    guard !found.isEmpty else { return webSocket.ended(.nameNotFound) }
    addresses = found[...]
    if !options.reachesInside {
      let own = options.ownNetworks()
      addresses.removeAll { InsideAddress.contains($0, own: own) }
      guard !addresses.isEmpty else { return webSocket.ended(.insideNetwork(address: found[0])) }
    }
    if !tryNext() { webSocket.ended(.refused) }
  }

  private func connect(to address: String) -> Bool {
    guard let webSocket else { return false }
    let host =
      url.isSecure
      ? loop.virtualHosts.secureClient(loop, trusting: options.authorities) : loop.virtualHosts.client(loop)
    guard let host else {
      webSocket.ended(url.isSecure ? .tls(.handshake) : .refused)  // out of memory
      return true
    }
    let session = Session(loop: loop, holder: NetworkAddress(parsing: address).map { Holder($0) } ?? .unknown)
    session.webSocket = webSocket
    webSocket.session = session
    session.register()
    loop.outgoing.entered(session)
    if let wsi = start(session, address, host) {
      if session.wsi == nil { session.wsi = wsi }
    } else {
      session.wsi = nil  // freed already
      session.end(.refused)
    }
    return true
  }

  /// libwebsockets copies the strings.
  private func start(_ session: Session, _ address: String, _ virtualHost: OpaquePointer) -> OpaquePointer? {
    address.withCString { addressText in
      url.authority.withCString { authority in
        url.target.withCString { target in
          var info = lws_client_connect_info()
          info.context = loop.context
          info.vhost = virtualHost
          info.address = addressText
          info.port = Int32(url.port)
          info.host = authority
          info.path = target
          // A redirect would let the relay choose where we connect to, and whether we use TLS.
          info.ssl_connection = Int32(LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue | (url.isSecure ? LCCSCF_USE_SSL.rawValue : 0))
          info.opaque_user_data = session.opaque
          info.retry_and_idle_policy = UnsafePointer(loop.virtualHosts.keepAlive)
          info.ietf_version_or_minus_one = -1
          return "http/1.1".withCString { alpn in
            info.alpn = alpn
            return lws_client_connect_via_info(&info)
          }
        }
      }
    }
  }
}
