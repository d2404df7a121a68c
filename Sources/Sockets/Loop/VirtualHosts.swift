import CWebSockets
import Platform

/// The libwebsockets "vhosts" of one loop: one for plain clients, one for TLS clients with each set of authorities, and one for
/// each listener.
///
/// All the memory they point to lives as long as the loop.
final class VirtualHosts {
  private var plainClient: OpaquePointer?
  private var secureClients: [TrustedAuthorities: OpaquePointer] = [:]
  private var cStrings: [UnsafeMutablePointer<CChar>] = []
  private var protocols: [Int: UnsafeMutablePointer<lws_protocols>] = [:]
  private(set) var keepAlive: UnsafeMutablePointer<lws_retry_bo_t>?
  private var isTLSReady = false

  func client(_ loop: EventLoop) -> OpaquePointer? {
    if let plainClient { return plainClient }
    var info = baseInfo(name: "client", port: CONTEXT_PORT_NO_LISTEN)
    plainClient = lws_create_vhost(loop.context, &info)
    return plainClient
  }

  /// The first call is the first use of TLS. Plain connections set up nothing for TLS.
  func secureClient(_ loop: EventLoop, trusting authorities: TrustedAuthorities) -> OpaquePointer? {
    if let made = secureClients[authorities] { return made }
    prepareTLS()
    var info = baseInfo(name: "secure client \(secureClients.count)", port: CONTEXT_PORT_NO_LISTEN)
    info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
    let made = TLSClientSetUp.trusting(authorities) { lws_create_vhost(loop.context, &info) }
    if let made { secureClients[authorities] = made }
    return made
  }

  func server(_ loop: EventLoop, tls: TLSFiles?) -> OpaquePointer? {
    var info = baseInfo(name: "listener \(cStrings.count)", port: CONTEXT_PORT_NO_LISTEN_SERVER)
    info.keepalive_timeout = Int32(SocketLimits.keepAliveSeconds)
    if let tls {
      prepareTLS()
      info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
      info.ssl_options_set = HOLDFAST_CLEANSE_PLAINTEXT
      info.ssl_cert_filepath = kept(tls.certificatePath)
      info.ssl_private_key_filepath = kept(tls.privateKeyPath)
    }
    return lws_create_vhost(loop.context, &info)
  }

  func kept(_ text: String) -> UnsafePointer<CChar>? {
    guard let copy = strdup(text) else { return nil }
    cStrings.append(copy)
    return UnsafePointer(copy)
  }

  func releaseMemory() {
    for string in cStrings { free(string) }
    cStrings = []
    for list in protocols.values { list.deallocate() }
    protocols = [:]
    keepAlive?.deallocate()
    keepAlive = nil
  }

  private func baseInfo(name: String, port: Int32) -> lws_context_creation_info {
    var info = lws_context_creation_info()
    info.port = port
    info.vhost_name = kept(name)
    info.protocols = UnsafePointer(protocols(reading: port == CONTEXT_PORT_NO_LISTEN ? Self.clientBytes : Self.serverBytes))
    info.retry_and_idle_policy = UnsafePointer(theKeepAlive())
    info.timeout_secs = UInt32(SocketLimits.requestSeconds)
    info.timeout_secs_ah_idle = UInt32(SocketLimits.requestSeconds)
    info.alpn = kept("http/1.1")
    info.gid = -1
    info.uid = -1
    return info
  }

  /// libwebsockets registers its slots in OpenSSL only when a context with TLS is made. A small one that lives for this call does
  /// that, at the first use of TLS.
  private func prepareTLS() {
    guard !isTLSReady else { return }
    isTLSReady = true
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.options = UInt64(
      LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_NO_LWS_SYSTEM_STATES | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
    info.gid = -1
    info.uid = -1
    info.fd_limit_per_thread = 8
    if let context = lws_create_context(&info) { lws_context_destroy(context) }
  }

  private func protocols(reading bytes: Int) -> UnsafeMutablePointer<lws_protocols> {
    if let made = protocols[bytes] { return made }
    let list = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    list.initialize(repeating: lws_protocols(), count: 2)
    list[0].name = kept("holdfast")
    list[0].callback = socketCallback
    list[0].rx_buffer_size = bytes
    // One `send` for each message. libwebsockets keeps what the kernel does not accept.
    list[0].tx_packet_size = Int(Int32.max) / 2
    protocols[bytes] = list
    return list
  }

  /// Bytes that libwebsockets keeps for each open WebSocket and reads at once. A longer frame arrives in pieces. Relays send many
  /// apps' requests over one connection, so several frames arrive together.
  private static let (clientBytes, serverBytes) = (8_192, 2_048)

  private func theKeepAlive() -> UnsafeMutablePointer<lws_retry_bo_t> {
    if let keepAlive { return keepAlive }
    let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
    policy.initialize(to: lws_retry_bo_t())
    policy.pointee.secs_since_valid_ping = UInt16(SocketLimits.pingAfterSeconds)
    policy.pointee.secs_since_valid_hangup = UInt16(SocketLimits.pingAfterSeconds + SocketLimits.pongWithinSeconds)
    keepAlive = policy
    return policy
  }
}
