import Platform

extension Vault {
  /// Identifies a state of a vault, for whoever must find out later that an older copy was restored.
  public struct Mark: Sendable, Hashable {
    /// Length of `digest` in bytes.
    public static let digestLength = 16

    /// One more with each transaction but an opening.
    public let revision: UInt64
    /// One more with each change of a slot or class key.
    public let generation: UInt64
    /// A digest of what the vault keeps about all its rows except the notes of slots, 16 bytes. Reveals nothing without a key.
    public let digest: [UInt8]
  }

  /// Where the latest mark is read without waiting for the vault.
  final class MarkBox: Sendable {
    private let state = Locked<Mark?>(nil)

    var mark: Mark? { state.withLock { $0 } }
    func set(_ mark: Mark?) { state.withLock { $0 = mark } }
  }
}
