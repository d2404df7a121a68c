package import RemoteSigning

/// How a wake ended, with the exit code of `holdfast-wake`.
package enum WakeOutcome: Sendable, Equatable {
  /// The request was allowed, and a relay has the answer.
  case signed
  /// A signer runs on the vault and has the request: it answers by its rules.
  case handedOver
  /// Its relay cannot be reached; if the push has the request, none of the app's relays.
  case unreachable
  /// It is decided, and no relay confirmed the answer.
  case notTaken
  /// The log could not be written, so it was not answered.
  case notRecorded
  /// It was allowed and could not be carried out.
  case failed
  /// There was no time left.
  case timedOut
  /// It was dropped: it is forged, malformed or too old, or there are too many.
  case dropped(DropReason)
  /// The key it needs is not open.
  case locked
  /// The signer was killed, and nobody can tell whether it was answered before the owner unlocks the vault.
  case inDoubt
  /// A rule denied it, or it waits for the owner.
  case denied
  /// The relay does not have it.
  case notFound
  /// It is not for a key of this vault, or its sender is not paired.
  case notOurs
  /// No app of this vault that it can be for uses its relay.
  case relayUnknown
  /// A signer or another wake took it before.
  case seen

  package var exitCode: Int32 {
    switch self {
    case .signed, .handedOver: 0
    case .unreachable, .notTaken, .notRecorded, .failed, .timedOut, .dropped: 1
    case .locked, .inDoubt: 3
    case .denied: 4
    case .notFound: 5
    case .notOurs, .relayUnknown: 6
    case .seen: 7
    }
  }

  /// The word in `--json`.
  package var word: String {
    switch self {
    case .signed: "signed"
    case .handedOver: "handed-over"
    case .unreachable: "unreachable"
    case .notTaken: "not-taken"
    case .notRecorded: "not-recorded"
    case .failed: "failed"
    case .timedOut: "timed-out"
    case .dropped: "dropped"
    case .locked: "locked"
    case .inDoubt: "in-doubt"
    case .denied: "denied"
    case .notFound: "not-found"
    case .notOurs: "not-ours"
    case .relayUnknown: "unknown-relay"
    case .seen: "seen"
    }
  }
}
