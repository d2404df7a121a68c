/// How a wake ended, with the exit code of `holdfast-wake`.
package enum WakeOutcome: Int32, Sendable, CaseIterable {
  /// The request was allowed, and a relay has the answer.
  case signed = 0
  /// It was allowed and no relay took the answer, or something else failed.
  case failed = 1
  /// The key it needs is not open, or the signer was killed a moment ago and cannot tell yet whether it was answered.
  case locked = 3
  /// A rule denied it, or it waits for the owner.
  case denied = 4
  /// The relay does not have it.
  case notFound = 5
  /// It is not for a key of this vault, or its sender is not paired.
  case notOurs = 6

  /// The word in `--json`.
  package var word: String {
    switch self {
    case .signed: "signed"
    case .failed: "failed"
    case .locked: "locked"
    case .denied: "denied"
    case .notFound: "not-found"
    case .notOurs: "not-ours"
    }
  }
}
