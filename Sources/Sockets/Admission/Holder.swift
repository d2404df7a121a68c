import CLinux
import Platform

/// The owner of a group of connections that are counted together: an address, or a user on this machine.
public enum Holder: Hashable, Sendable {
  /// An IPv4 address, or the first 64 bits of an IPv6 address.
  case network(NetworkAddress)
  /// The processes of one user in one control group of this machine. A group is a service or, on a desktop, one started program.
  /// `group` is 0 when the kernel does not report groups.
  case processes(uid: UInt32, group: UInt64)
  /// The holder is not known.
  case unknown

  /// Another machine, by its address.
  init(_ address: NetworkAddress) { self = .network(address.network) }
}

/// Finds the holder of a connection. Call it on the loop thread.
///
/// Within this machine an address says nothing, so the kernel is asked for the user and the control group of the process. It is
/// not asked for the process itself: that would need a search through all descriptors of all processes.
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
