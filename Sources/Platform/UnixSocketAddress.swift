/// The address of a Unix socket at a path (`sockaddr_un`).
public struct UnixSocketAddress {
  /// The longest path, in bytes, that the kernel accepts.
  public static let longestPath = 107

  /// As the system's calls take it.
  public private(set) var value = sockaddr_un()

  /// - Returns: nil for a path that is empty, longer than `longestPath`, or has a zero byte.
  public init?(path: String) {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longestPath, !bytes.contains(0) else { return nil }
    value.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &value.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Connects a socket to it.
  /// - Returns: false with `errno` set when it cannot be connected.
  public func connectSocket(_ descriptor: Int32) -> Bool {
    withUnsafePointer(to: value) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
