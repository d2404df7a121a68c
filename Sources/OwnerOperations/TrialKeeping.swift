import OwnerAPI
import Platform
package import SecretMemory
package import Signer

/// Passes a trial that the owner keeps, or leaves for a vault that was restored, on to the part that stops the signer and starts it again. One trial is kept at a time.
package final class TrialKeeping: Sendable {
  /// Where the trial goes, and what opens it there.
  package final class Move: Sendable {
    /// The new home.
    package let home: Home
    /// What signs the browser in that asked for the move, once the signer serves again. Nil if a command asked.
    package let signInToken: String?
    /// Whether that home is made already, from a backup. Then nothing of the trial goes there.
    package let isRestored: Bool
    private let passphrase: Locked<SecretBox?>

    init(_ home: Home, _ passphrase: SecretBox, signInToken: String?, isRestored: Bool = false) {
      (self.home, self.passphrase) = (home, Locked(passphrase))
      (self.signInToken, self.isRestored) = (signInToken, isRestored)
    }

    /// The new passphrase. It can be taken once, so that a signer that runs for months does not hold it. Nil if it was taken.
    package func takePassphrase() -> SecretBox? {
      passphrase.withLock { passphrase in
        defer { passphrase = nil }
        return passphrase
      }
    }
  }

  private enum State {
    case idle, preparing
    case begun(Move)
  }

  /// The owner's own home, where a trial goes unless a command names another one.
  let own: Home
  /// The command that starts the signer in that home next time.
  let command: @Sendable (Home) -> String
  /// Makes a token that signs in to a console once.
  let newSignInToken: @Sendable () -> String
  private let state = Locked(State.idle)
  private let whenBegun: @Sendable () -> Void

  /// - Parameters:
  ///   - own: the owner's own home.
  ///   - whenBegun: asks the signer to stop, finishing what it accepted.
  package init(
    own: Home, command: @escaping @Sendable (Home) -> String, newSignInToken: @escaping @Sendable () -> String,
    whenBegun: @escaping @Sendable () -> Void
  ) {
    (self.own, self.command) = (own, command)
    (self.newSignInToken, self.whenBegun) = (newSignInToken, whenBegun)
  }

  /// The move that was begun.
  package var move: Move? {
    state.withLock { if case .begun(let move) = $0 { move } else { nil } }
  }

  /// Runs a step that prepares the move and returns it. The signer then stops.
  /// - Throws: what the step throws; then the trial goes on.
  func begin(_ prepare: () throws -> Move) throws {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .preparing
      return true
    }
    guard isFirst else { throw OperationError.keepsAlready }
    do {
      let move = try prepare()
      state.change { $0 = .begun(move) }
    } catch {
      state.change { $0 = .idle }
      throw error
    }
    whenBegun()
  }
}
