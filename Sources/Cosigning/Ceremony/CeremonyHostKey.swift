import Curve
import Threshold

/// A member's host key (ChillDKG) for one ceremony. Its share is kept, so nothing is ever restored with the host key.
final class CeremonyHostKey: Sendable {
  let secret: SecretKey
  /// 33 bytes.
  let shown: [UInt8]

  init() throws(CosignError) {
    do {
      secret = try SecretKey.random()
      shown = try secret.compressedPublicKey().bytes
    } catch { throw .failed(.outOfMemory) }
  }
}
