import Curve

/// How often requests may wake a signer. A stranger can make any number of keys, so the apps that a signer has paired are counted apart:
/// strangers use up the share of strangers only.
struct WakeLimits {
  /// An app of the signer: 20 wakes at once, then one each two seconds.
  private var apps = PacedKeys<Pair>(interval: 2_000, burst: 20, limit: mostRemembered)
  /// All apps of one signer.
  private var appsOfSigner = PacedKeys<PublicKey>(interval: 500, burst: 60, limit: mostRemembered)
  /// A stranger, for whichever signers.
  private var strangers = PacedKeys<PublicKey>(interval: 20_000, burst: 3, limit: mostRemembered)
  /// All strangers, for one signer: an app that is being paired needs one or two.
  private var strangersOfSigner = PacedKeys<PublicKey>(interval: 60_000, burst: 5, limit: mostRemembered)

  /// The most keys that each limit remembers.
  static let mostRemembered = 100_000

  private struct Pair: Hashable {
    let author: PublicKey
    let signer: PublicKey
  }

  /// Whether `take` would succeed: asked before anything is spent on the signature.
  func has(_ author: PublicKey, for signer: PublicKey, isPaired: Bool, now: Int64) -> Bool {
    guard isPaired else { return strangers.has(author, now: now) && strangersOfSigner.has(signer, now: now) }
    return apps.has(Pair(author: author, signer: signer), now: now) && appsOfSigner.has(signer, now: now)
  }

  /// Takes one wake. Only for an author who was verified: anybody can write another's name.
  /// - Parameter now: milliseconds of a clock that never goes back.
  mutating func take(_ author: PublicKey, for signer: PublicKey, isPaired: Bool, now: Int64) -> Bool {
    guard has(author, for: signer, isPaired: isPaired, now: now) else { return false }
    guard isPaired else { return strangers.take(author, now: now) && strangersOfSigner.take(signer, now: now) }
    return apps.take(Pair(author: author, signer: signer), now: now) && appsOfSigner.take(signer, now: now)
  }
}
