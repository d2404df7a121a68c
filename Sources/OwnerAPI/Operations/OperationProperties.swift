// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The properties of an operation, independent of its request.
public struct OperationProperties: Sendable, Equatable {
  /// Where it may be called from, and what a browser needs.
  public enum Access: String, Sendable {
    /// A signed-in browser may call it.
    case session
    /// A browser needs a sign-in, or a passkey or the passphrase shown again, within the last minutes. A browser that was left open is
    /// not enough.
    case recentSignIn = "recent-sign-in"
    /// Only the control socket of the signer's machine.
    case controlSocket = "control-socket"
  }

  /// The proof that the owner must give in addition.
  public enum Proof: String, Sendable {
    case none
    /// Required by the identity's class, or by some of the parameters.
    case sometimes
    /// A passphrase, a token, a passkey or shares, each time.
    case always
  }

  /// Whether a signer must run for it.
  public enum Home: String, Sendable {
    /// The running signer performs it. When none runs, the command opens the vault itself.
    case either
    /// Only a running signer can perform it.
    case running
    /// Only while no signer runs.
    case stopped
  }

  /// Where the running signer performs it, so that slow operations do not delay the apps.
  public enum Lane: Sendable, Equatable {
    /// On the workers, with the apps' requests. An operation with a proof runs beside them instead.
    case workers
    /// On a separate thread: it uses a server, a TPM or a passphrase function.
    case beside
    /// On a separate thread, however many slow operations run: it unlocks.
    case unlocking
    /// On a separate thread: it may read the whole log, which can be gigabytes long.
    case reading
    /// On a separate thread, one at a time: it copies the log.
    case retaining
    /// At once, whatever else runs: it locks.
    case always
  }

  /// A noun and a verb, or a verb alone: `client/trust`, `status`.
  public let name: String
  /// What it does, in one sentence for the documentation.
  public let about: String
  public var access = Access.controlSocket
  public var proof = Proof.none
  public var home = Home.either
  public var lane = Lane.workers
  /// A locked signer refuses it, because whoever calls it then has shown no credential.
  public var needsUnlocked = false
  /// It changes nothing. On a damaged vault, only read-only operations and those marked for it are performed.
  public var isReadOnly = false
  /// It counts as an action of the owner and extends the session.
  public var isActivity = true
  /// It is performed on a damaged vault that was opened for viewing.
  public var isForDamagedVault = false

  /// An operation that changes or does something.
  public static func action(
    _ name: String, _ about: String, from access: Access, proof: Proof = .none, home: Home = .either, lane: Lane = .workers,
    needsUnlocked: Bool = false, onDamagedVault: Bool = false
  ) -> OperationProperties {
    OperationProperties(
      name: name, about: about, access: access, proof: proof, home: home, lane: lane, needsUnlocked: needsUnlocked,
      isReadOnly: false, isActivity: true, isForDamagedVault: onDamagedVault)
  }

  /// A read-only operation. An open page or a script may call it all day, so it does not extend the session.
  public static func look(
    _ name: String, _ about: String, from access: Access, home: Home = .either, lane: Lane = .workers
  ) -> OperationProperties {
    OperationProperties(
      name: name, about: about, access: access, proof: .none, home: home, lane: lane, isReadOnly: true, isActivity: false,
      isForDamagedVault: true)
  }
}
