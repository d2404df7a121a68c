import CLinux
import CSodium

/// The part of a thread's stack that returned calls have used.
///
/// What a call held in registers or in variables stays there until another call happens to write over it: a piece of a text that was
/// copied, for one. Swift does not say where it puts what, so the whole of it is written over.
public enum UsedStack {
  /// How far below the caller's frame is written, in bytes. Less than a thread of ours has in all.
  public static let depth = 192 << 10

  /// Writes zeros over `depth` bytes below the caller's frame, and into the registers that texts are copied through.
  ///
  /// For the outermost call of some work that touched secrets, at its end.
  @inline(never)
  public static func wipe() {
    sodium_stackzero(depth)
    holdfast_clear_vector_registers()
  }
}
