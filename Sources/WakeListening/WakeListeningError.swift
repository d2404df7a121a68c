package import Sockets

/// Why pushes cannot be received.
package enum WakeListeningError: Error, Sendable, Equatable {
  /// The file of the keys is not one that this program wrote.
  case keysMalformed
  /// Another listener runs for the vault. `pid` is 0 if it is not known.
  case inUse(pid: Int32)
  /// A file in the vault's folder could not be read or written. `code` is errno.
  case io(code: Int32)
  /// There is no randomness, or no memory.
  case keysNotMade
  case network(SocketError)
  /// The system has no thread left.
  case noThread
}
