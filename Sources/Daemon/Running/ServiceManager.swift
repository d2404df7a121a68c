import Platform

/// Tells the service manager that started this process how it is (sd_notify(3)): that it serves, what it waits for, that it still answers,
/// and that it stops.
struct ServiceManager: Sendable {
  /// The most bytes of a socket's address on Linux.
  private static let longestAddress = 107

  /// The address of the manager's socket; an abstract one begins with a zero byte.
  private let address: [UInt8]
  /// How often this process must say that it answers, in milliseconds; nil for never.
  let patience: Int?

  /// - Parameters:
  ///   - socket: a path, or `@` and the name of an abstract socket (the variable NOTIFY_SOCKET).
  ///   - patience: in milliseconds.
  /// - Returns: nil for an address that cannot be one.
  init?(socket: String, patience: Int?) {
    var bytes = Array(socket.utf8)
    guard let first = bytes.first, (2...Self.longestAddress).contains(bytes.count) else { return nil }
    if first == UInt8(ascii: "@") { bytes[0] = 0 } else if first != UInt8(ascii: "/") { return nil }
    (address, self.patience) = (bytes, patience)
  }

  /// The manager of this process, from its environment. What it set there is removed, so that no child speaks for this process. Call it
  /// before any other thread is started.
  /// - Returns: nil if no manager waits to be told.
  static func ofThisProcess() -> ServiceManager? {
    let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
    let values = names.map { name in getenv(name).map { String(cString: $0) } }
    for name in names { unsetenv(name) }
    guard let socket = values[0] else { return nil }
    let isMeant = values[2].map { Int32($0) == getpid() } ?? true
    let patience = isMeant ? values[1].flatMap { Int($0) }.map { $0 / 1000 } : nil
    return ServiceManager(socket: socket, patience: patience.flatMap { $0 > 1 ? $0 : nil })
  }

  /// Sends assignments such as `READY=1`. A manager that is gone or does not read is no fault of this process.
  func tell(_ assignments: String...) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let message = Array(assignments.joined(separator: "\n").utf8)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: address) }
    // A path ends with a zero byte; an abstract name does not.
    let length = MemoryLayout<sa_family_t>.size + address.count + (address[0] == 0 ? 0 : 1)
    _ = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        sendto(descriptor, message, message.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), raw, socklen_t(length))
      }
    }
  }
}
