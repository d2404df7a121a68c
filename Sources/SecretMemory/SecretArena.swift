import CSodium
import Platform

/// Guarded pages shared by small secrets.
///
/// `sodium_malloc` spends at least three pages on each allocation, which a thousand 32-byte keys would feel. The arena cuts
/// guarded, locked chunks into slots; a slot is zero before it is lent and wiped when it comes back. Guard pages stand around
/// a chunk, not around each slot. Chunks are kept until the process ends.
final class SecretArena: @unchecked Sendable {  // Sendable: the free list sits behind a lock
  /// Secrets up to this many bytes share pages.
  static let slotSize = 128
  static let shared = SecretArena()

  private static let slotsPerChunk = 64
  private let free = Locked<[UnsafeMutableRawPointer]>([])

  /// - Returns: a zeroed slot of `slotSize` bytes, or nil when no locked memory is left.
  func take() -> UnsafeMutableRawPointer? {
    free.withLock { slots in
      if slots.isEmpty { slots = Self.chunk() }
      return slots.popLast()
    }
  }

  /// Wipes the slot and makes it available again.
  func giveBack(_ slot: UnsafeMutableRawPointer) {
    sodium_memzero(slot, Self.slotSize)
    free.withLock { $0.append(slot) }
  }

  private static func chunk() -> [UnsafeMutableRawPointer] {
    guard Sodium.isReady, let base = sodium_malloc(slotSize * slotsPerChunk) else { return [] }
    sodium_memzero(base, slotSize * slotsPerChunk)
    return (0..<slotsPerChunk).reversed().map { base + $0 * slotSize }
  }
}
