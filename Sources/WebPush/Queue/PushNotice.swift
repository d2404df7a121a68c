/// What a message to a browser says. It contains nothing about a request: the owner must sign in to see more.
package enum PushNotice: String, Sendable, Hashable, CaseIterable {
  /// Requests wait for the owner.
  case waiting
  /// Something is wrong, and everything was suspended.
  case incident
  /// Somebody asks for a share of a recovery kit, or a guardian agreed to give one.
  case share
  /// The owner tests whether messages arrive.
  case test
}
