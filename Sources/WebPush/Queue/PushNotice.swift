/// What a browser is told. No notice says anything about a request: who looks wants to sign in first.
package enum PushNotice: String, Sendable, Hashable, CaseIterable {
  /// Requests wait for the owner.
  case waiting
  /// Something is wrong, and all was shut.
  case incident
  /// The owner tries whether messages arrive.
  case test
}
