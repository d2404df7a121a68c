import OwnerAPI

/// What a signed-in browser may call: the owner's operations that allow it, and the console's own calls about passkeys.
enum ConsoleOperation {
  /// What an operation requires besides the session.
  enum Need: Equatable {
    case nothing
    /// A sign-in, or a passkey or the passphrase shown again, within the last minutes. A browser that was left open is not enough.
    case recentSignIn
  }

  /// - Returns: nil for an operation that browsers cannot call.
  static func need(_ operation: String) -> Need? {
    if ownCalls.contains(operation) { return .nothing }
    switch OperationTable.properties(of: operation)?.access {
    case .session?: return .nothing
    case .recentSignIn?: return .recentSignIn
    case .controlSocket?, nil: return nil
    }
  }

  /// Calls that the console answers itself: what a browser needs to ask for a passkey.
  private static let ownCalls: Set = ["slot/passkey-options", "slot/unlock-options"]
}
