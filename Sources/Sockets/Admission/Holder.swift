import CLinux
import Platform

/// Who holds connections, as far as they are counted together.
public enum Holder: Hashable, Sendable {
  /// An IPv4 address, or the first 64 bits of an IPv6 address.
  case network(NetworkAddress)
  /// The processes of one user in one control group of this machine: a service, or on a desktop one program that was started. `group`
  /// is 0 where the kernel does not tell groups apart.
  case processes(uid: UInt32, group: UInt64)
  /// Nobody knows.
  case unknown

  /// Another machine by its address.
  init(_ address: NetworkAddress) { self = .network(address.network) }
}

/// Finds out who is at the other end of a connection. For the loop thread.
///
/// Within this machine an address says nothing, so the kernel is asked for the process's user and control group. It is not asked which
/// process: to find that takes a search through all descriptors of all processes.
final class HolderLookup {
  private lazy var diagnosis: Int32 = holdfast_open_diagnosis()
  private var isOpen = false

  func holder(of descriptor: Int32, _ peer: Peer) -> Holder {
    switch peer {
    case .unix(_, let uid, _): return .processes(uid: uid, group: 0)
    case .unknown: return .unknown
    case .tcp(let text, _):
      guard let address = NetworkAddress(parsing: text) else { return .unknown }
      guard address.isLoopback else { return Holder(address) }
      isOpen = true
      var found = holdfast_peer_process()
      guard diagnosis >= 0, holdfast_peer_process_of(diagnosis, descriptor, &found) == 0 else { return Holder(address) }
      return .processes(uid: found.uid, group: found.group)
    }
  }

  deinit { if isOpen, diagnosis >= 0 { close(diagnosis) } }
}
