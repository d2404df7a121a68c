import CLinux
import CWebSockets
import Platform

/// The other end of an accepted connection.
public enum Peer: Equatable, Sendable {
  /// A numeric IP address and its port.
  case tcp(address: String, port: UInt16)
  /// A process on this machine, as the kernel reported it at connect time (SO_PEERCRED).
  case unix(pid: Int32, uid: UInt32, gid: UInt32)
  /// The kernel did not answer. Do not trust this peer.
  case unknown

  static func of(descriptor: Int32, isUnix: Bool) -> Peer {
    isUnix ? credentials(of: descriptor) : address(of: descriptor)
  }

  private static func credentials(of descriptor: Int32) -> Peer {
    var found = holdfast_peer_credentials()
    guard holdfast_peer_credentials_of(descriptor, &found) == 0 else { return .unknown }
    return .unix(pid: found.pid, uid: found.uid, gid: found.gid)
  }

  private static func address(of descriptor: Int32) -> Peer {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let found = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
    }
    guard found == 0, let (host, port) = numeric(&storage, length) else { return .unknown }
    return .tcp(address: host, port: port)
  }
}

/// The numeric host and the port of a socket address.
func numeric(_ storage: inout sockaddr_storage, _ length: socklen_t) -> (String, UInt16)? {
  var host = [CChar](repeating: 0, count: 64)
  var port = [CChar](repeating: 0, count: 8)
  let answer = withUnsafePointer(to: &storage) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      getnameinfo($0, length, &host, 64, &port, 8, NI_NUMERICHOST | NI_NUMERICSERV)
    }
  }
  guard answer == 0, let number = UInt16(text(of: port)) else { return nil }
  return (text(of: host), number)
}

/// The text before the first NUL.
func text(of characters: [CChar]) -> String {
  String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
