internal import OwnerAPI

/// What a signed-in browser may ask for: the operations of the owner that say so, and the console's own calls about passkeys.
enum ConsoleOperation {
  /// What an operation needs besides the session.
  enum Need: Equatable {
    case nothing
    /// A sign-in, or a passkey shown again, not long ago: a browser that was left open does not suffice.
    case recentSignIn
  }

  /// - Returns: nil for what does not exist for a browser.
  static func need(_ operation: String) -> Need? {
    if ownCalls.contains(operation) { return .nothing }
    switch OperationTable.properties(of: operation)?.access {
    case .session?: return .nothing
    case .recentSignIn?: return .recentSignIn
    case .controlSocket?, nil: return nil
    }
  }

  /// Answered by the console itself: what a browser needs to ask a passkey.
  private static let ownCalls: Set = ["slot/passkey-options", "slot/unlock-options"]
}
