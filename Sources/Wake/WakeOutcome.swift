/// How a wake ended, with the exit code of `holdfast-wake`.
package enum WakeOutcome: Sendable, CaseIterable {
  /// The request was allowed, and a relay has the answer.
  case signed
  /// A signer runs on the vault and has the request: it answers by its rules.
  case handedOver
  /// It was allowed and no relay took the answer, or something else failed.
  case failed
  /// The key it needs is not open, or the signer was killed a moment ago and cannot tell yet whether it was answered.
  case locked
  /// A rule denied it, or it waits for the owner.
  case denied
  /// The relay does not have it.
  case notFound
  /// It is not for a key of this vault, or its sender is not paired.
  case notOurs
  /// A signer or another wake took it before.
  case seen

  package var exitCode: Int32 {
    switch self {
    case .signed, .handedOver: 0
    case .failed: 1
    case .locked: 3
    case .denied: 4
    case .notFound: 5
    case .notOurs: 6
    case .seen: 7
    }
  }

  /// The word in `--json`.
  package var word: String {
    switch self {
    case .signed: "signed"
    case .handedOver: "handed-over"
    case .failed: "failed"
    case .locked: "locked"
    case .denied: "denied"
    case .notFound: "not-found"
    case .notOurs: "not-ours"
    case .seen: "seen"
    }
  }
}
