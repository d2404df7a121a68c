import Platform
import Sockets

extension Console {
  /// What proxies add to a request.
  static let proxyHeaders = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"]
}

extension HTTPRequest {
  /// Whether a process of the signer's own user on this machine sent it, as the kernel says.
  ///
  /// A proxy on this machine may run as the signer's user. So what came through one, by its name or by what it adds, is not the owner's.
  /// - Parameter user: the signer's own.
  func isOfOwnersProcess(at origin: ConsoleOrigin, user: UInt32 = geteuid()) -> Bool {
    guard case .processes(let uid, _) = holder, uid == user, uid != Self.anybody, OriginCheck.isLoopback(peer) else {
      return false
    }
    return origin.isOnThisMachine && Console.proxyHeaders.allSatisfy { header($0) == nil }
  }

  /// In a container the kernel gives this number for every user of the machine that has none there (`overflowuid`).
  static let anybody: UInt32 = 65_534
}
