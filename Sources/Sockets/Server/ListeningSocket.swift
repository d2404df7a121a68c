import CLinux
import CWebSockets
import Platform

/// Makes listening sockets.
enum ListeningSocket {
  private static let backlog: Int32 = 256

  /// - Parameter host: a literal address, or "localhost" for 127.0.0.1.
  static func tcp(host: String, port: UInt16) throws(SocketError) -> Int32 {
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    if inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &v4.sin_addr) == 1 {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      return try listening(AF_INET, &v4)
    }
    guard inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 else { throw .hostNotAddress }
    v6.sin6_family = sa_family_t(AF_INET6)
    v6.sin6_port = port.bigEndian
    return try listening(AF_INET6, &v6)
  }

  /// Makes a socket file that only its owner may open (0600), in a folder that the caller made. An existing file is replaced.
  static func unix(path: String) throws(SocketError) -> Int32 {
    guard var address = UnixSocketAddress(path: path)?.value else { throw .pathTooLong }
    unlink(path)
    let mask = umask(0o177)
    defer { umask(mask) }
    return try listening(AF_UNIX, &address)
  }

  /// Uses a socket that already listens, such as one that systemd opened.
  /// - Throws: `.cannotListen` if it is no such socket.
  static func inherited(_ descriptor: Int32) throws(SocketError) -> Int32 {
    var (listens, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 else { throw .cannotListen(errno: errno) }
    guard listens == 1 else { throw .cannotListen(errno: EINVAL) }
    prepare(descriptor)
    return descriptor
  }

  static func isUnix(_ descriptor: Int32) -> Bool {
    var (family, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &length) == 0 && family == AF_UNIX
  }

  static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let answer = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard answer == 0, let (_, port) = numeric(&storage, length) else { return 0 }
    return port
  }

  enum Arrival {
    case accepted(Int32)
    case nobodyWaits
    case noDescriptor
  }

  /// One accepted connection, ready for use.
  static func accept(_ descriptor: Int32, isUnix: Bool) -> Arrival {
    let accepted = Platform.accept(descriptor, nil, nil)
    guard accepted >= 0 else {
      return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .noDescriptor : .nobodyWaits
    }
    prepare(accepted)
    if !isUnix { setWithoutDelay(accepted) }
    return .accepted(accepted)
  }

  private static func listening<Address>(_ family: Int32, _ address: inout Address) throws(SocketError) -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw .cannotListen(errno: errno) }
    prepare(descriptor)
    var on: Int32 = 1
    if family != AF_UNIX { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size)) }
    if family == AF_INET6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0 && listen(descriptor, backlog) == 0
      }
    }
    if bound { return descriptor }
    let fault = errno
    close(descriptor)
    throw fault == EADDRINUSE ? .addressInUse : .cannotListen(errno: fault)
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Without TCP_NODELAY a small message waits for the peer's delayed acknowledgement: 40 ms.
  private static func setWithoutDelay(_ descriptor: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}
