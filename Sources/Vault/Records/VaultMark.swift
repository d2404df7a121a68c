import Encodings
import Platform

extension Vault {
  /// Which state of a vault it is: told to whoever shall find out later that an older copy was put back.
  public struct Mark: Sendable, Hashable {
    /// Length of `digest` in bytes.
    public static let digestLength = 16

    /// One more with each transaction but an opening.
    public let revision: UInt64
    /// One more with each change of a slot or class key.
    public let generation: UInt64
    /// Of what the vault keeps about all its rows but the notes of slots, 16 bytes. Says nothing to whoever has no key.
    public let digest: [UInt8]
  }

  /// Where the latest mark is read without waiting for the vault.
  final class MarkBox: Sendable {
    private let state = Locked<Mark?>(nil)

    var mark: Mark? { state.withLock { $0 } }
    func set(_ mark: Mark?) { state.withLock { $0 = mark } }
  }
}
