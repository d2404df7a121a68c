import Platform
import Sockets

/// Where somebody tried to sign in from.
public enum SignInPlace: Sendable, Hashable {
  /// Another machine: an IPv4 address, or the first half of an IPv6 address as `2001:db8::/64`.
  case network(String)
  /// A process of the signer's own user on its machine. Behind a proxy or an SSH tunnel whose addresses the signer does not learn, anybody.
  case thisMachine
  /// A process of another user of the signer's machine, by the user's number.
  case user(UInt32)

  /// - Returns: nil if it is not known.
  init?(_ holder: Holder) {
    switch holder {
    case .network(let address) where address.isLoopback: self = .thisMachine
    case .network(let address): self = .network(address.isV4 ? address.text : address.text + "/64")
    case .processes(let user, _): self = user == geteuid() ? .thisMachine : .user(user)
    case .unknown: return nil
    }
  }
}
