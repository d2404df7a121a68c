import CWebSockets
import Platform

/// A listening socket, TCP or Unix, whose connections speak HTTP/1.1 and WebSocket.
public final class Listener: @unchecked Sendable {  // Sendable: constants, and state of the loop
  /// Where and how to listen.
  public struct Options: Sendable {
    /// The address to bind.
    public enum Place: Hashable, Sendable {
      /// A literal IPv4 or IPv6 address or "localhost" (127.0.0.1); port 0 lets the system choose.
      case tcp(host: String, port: UInt16)
      /// A path of at most 107 bytes, in a folder that the caller made. The file gets mode 0600.
      case unix(path: String)
      /// A socket that listens already, TCP or Unix: a service manager made it. It is this listener's from now on.
      case inherited(descriptor: Int32)
    }
    /// The address to bind.
    public var place: Place
    /// The TLS certificate. Nil for plain text.
    public var tls: TLSFiles?
    /// The most bytes of a request body.
    public var bodyBytes = SocketLimits.bodyBytes
    /// The limits on connections. Several listeners may share one `Admission`.
    public var admission = Admission()
    /// Proxies whose `X-Forwarded-For` is trusted. Each of them must write one.
    public var proxies: [AddressRange] = []
    /// Names, in lower case, of headers beyond those that libwebsockets knows, such as "x-csrf-token".
    public var extraHeaders: [String] = []
    /// Called on the loop thread when a connection has to wait because the process has no descriptor left; ten times a second while it waits.
    package var whenShort: @Sendable () -> Void = {}

    /// Plain text on `place` with the default limits, unless others are given.
    public init(_ place: Place, tls: TLSFiles? = nil) {
      self.place = place
      self.tls = tls
    }

    /// A Unix socket with limits of its own.
    /// - Parameters:
    ///   - path: at most 107 bytes, in a folder that the caller made.
    ///   - connections: the most at once.
    public init(unix path: String, connections: Int) {
      self.init(.unix(path: path))
      var limits = Admission.Limits()
      limits.connections = connections
      admission = Admission(limits)
    }
  }

  /// As given to `listen`.
  public let options: Options
  let service: Service
  /// The bound port; 0 for a Unix socket.
  public let port: UInt16
  private unowned let loop: EventLoop
  private let descriptor: Int32
  private let isUnix: Bool
  private let counts = Locked(0)

  // From here on: used on the loop thread only.
  private var virtualHost: OpaquePointer?
  private var session: Session?
  private var isClosed = false

  init(loop: EventLoop, options: Options, service: Service) throws(SocketError) {
    self.loop = loop
    self.options = options
    self.service = service
    switch options.place {
    case .tcp(let host, let port): descriptor = try ListeningSocket.tcp(host: host, port: port)
    case .unix(let path): descriptor = try ListeningSocket.unix(path: path)
    case .inherited(let passed): descriptor = try ListeningSocket.inherited(passed)
    }
    port = ListeningSocket.port(of: descriptor)
    isUnix = ListeningSocket.isUnix(descriptor)
  }

  /// Connections that are open now.
  public var connectionCount: Int { counts.withLock { $0 } }

  /// Accepts no further connections. Open ones stay. Callable from any thread.
  public func stopListening() { loop.post { [self] in close() } }
}

extension Listener {
  /// Checks that it is possible to listen there now, by doing so for a moment.
  /// - Throws: `addressInUse`, `cannotListen`, `hostNotAddress`.
  package static func checkFree(host: String, port: UInt16) throws(SocketError) {
    Platform.close(try ListeningSocket.tcp(host: host, port: port))
  }
}

extension EventLoop {
  /// Listens. The port is bound when this returns. Call it after `start()`, from any thread but the loop's own.
  /// - Throws: `addressInUse`, `cannotListen`, `hostNotAddress`, `pathTooLong`, `certificateNotUsable`, `stopped`.
  public func listen(_ options: Listener.Options, service: Service) throws(SocketError) -> Listener {
    let listener = try Listener(loop: self, options: options, service: service)
    let outcome = Locked<Bool?>(nil)
    post {
      let isOpen = listener.open()
      outcome.change { $0 = isOpen }
    }
    if isOver { outcome.withLock { $0 = $0 ?? false } }
    guard outcome.wait(until: { $0 }) == true else { throw isOver ? .stopped : .certificateNotUsable }
    return listener
  }

  private var isOver: Bool { shared.withLock { $0.isOver } }
}

// MARK: - The loop thread

extension Listener {
  /// - Returns: false if the certificate cannot be used.
  func open() -> Bool {
    guard !loop.refusesNewSessions, let virtualHost = loop.virtualHosts.server(loop, tls: options.tls) else {
      Platform.close(descriptor)
      return false
    }
    self.virtualHost = virtualHost
    let session = Session(loop: loop, listener: self)
    session.isListening = true
    session.register()
    self.session = session
    loop.listeners[ObjectIdentifier(self)] = self
    return adopt(descriptor, LWS_ADOPT_RAW_FILE_DESC.rawValue, session)
  }

  /// Accepts waiting connections, a few at a time, so that connections closed for them can end in between.
  func accept() {
    for _ in 0..<Self.acceptedAtOnce where !isClosed {
      switch ListeningSocket.accept(descriptor, isUnix: isUnix) {
      case .accepted(let accepted): welcome(accepted)
      case .nobodyWaits: return
      case .noDescriptor:
        options.whenShort()
        return rest()
      }
    }
  }

  /// When no descriptor is free, new connections stay in the kernel's queue, and the socket would report them without end.
  private func rest() {
    guard let wsi = session?.wsi else { return }
    lws_rx_flow_control(wsi, 0)
    loop.after(milliseconds: Self.restMilliseconds) { [weak self] in
      guard let wsi = self?.session?.wsi else { return }
      lws_rx_flow_control(wsi, 1)
    }
  }

  private static let restMilliseconds = 100
  private static let acceptedAtOnce = 64

  private func welcome(_ accepted: Int32) {
    let peer = Peer.of(descriptor: accepted, isUnix: isUnix)
    guard let holder = options.admission.admit(accepted, peer, loop) else {
      Platform.close(accepted)
      return
    }
    let session = Session(loop: loop, listener: self, peer: peer, holder: holder)
    session.register()
    options.admission.entered(session)
    counts.change { $0 += 1 }
    guard adopt(accepted, adoption, session) else {
      session.wsi = nil  // freed already
      return session.end(.peerVanished)
    }
    guard let lines = service.lines else { return }
    let connection = LineConnection(session, lines.limits, socket: accepted)
    session.lines = connection
    connection.begin(lines.accept(connection))
  }

  private var adoption: UInt32 {
    if service.lines != nil { return LWS_ADOPT_SOCKET.rawValue }
    return LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue | LWS_ADOPT_ALLOW_SSL.rawValue
  }

  private func adopt(_ descriptor: Int32, _ type: UInt32, _ session: Session) -> Bool {
    var info = lws_adopt_desc_t()
    info.vh = virtualHost
    info.type = lws_adoption_type(type)
    info.fd.sockfd = descriptor
    info.opaque = session.opaque
    return "holdfast".withCString { name in
      if session.isListening || service.lines != nil { info.vh_prot_name = name }
      guard let wsi = lws_adopt_descriptor_vhost_via_info(&info) else { return false }
      session.wsi = wsi
      return true
    }
  }

  func sessionEnded() { counts.change { $0 -= 1 } }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    session?.kill()
    session = nil
    if case .unix(let path) = options.place { unlink(path) }
    loop.listeners[ObjectIdentifier(self)] = nil
  }
}
