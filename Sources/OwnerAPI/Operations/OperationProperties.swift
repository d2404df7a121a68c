// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What holds for an operation, whatever it is asked with.
public struct OperationProperties: Sendable, Equatable {
  /// From where it may be asked for, and what a browser needs.
  public enum Access: String, Sendable {
    /// A signed-in browser may ask for it.
    case session
    /// A browser needs a sign-in, or a passkey shown again, of the last minutes: one that was left open is not enough.
    case recentSignIn = "recent-sign-in"
    /// Only the control socket of the signer's machine.
    case controlSocket = "control-socket"
  }

  /// What the owner shows besides.
  public enum Proof: String, Sendable {
    case none
    /// Where the identity's class asks for it, or with some of the parameters.
    case sometimes
    /// A passphrase, a token, a passkey or shares, each time.
    case always
  }

  /// Whether a signer must run for it.
  public enum Home: String, Sendable {
    /// The running signer does it; when none runs, the command opens the vault itself.
    case either
    /// Only a running signer can do it.
    case running
    /// Only while no signer runs.
    case stopped
  }

  /// Where the running signer does it, so that nothing slow holds up the apps.
  public enum Lane: Sendable, Equatable {
    /// With the apps' requests. An operation that brings a proof runs beside them instead.
    case workers
    /// On a thread of its own: it asks a server, a TPM or a passphrase function.
    case beside
    /// On a thread of its own: it may read the whole log, which can have gigabytes.
    case reading
    /// On a thread of its own, one at a time: it copies the log.
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
  /// It shows something and changes nothing. Only these are done on a damaged vault, but for those that say otherwise.
  public var isReadOnly = false
  /// Somebody does something: it keeps the session open.
  public var isActivity = true
  /// It is done on a damaged vault that was opened to look at it.
  public var isForDamagedVault = false

  /// Something is changed or done.
  public static func action(
    _ name: String, _ about: String, from access: Access, proof: Proof = .none, home: Home = .either, lane: Lane = .workers,
    onDamagedVault: Bool = false
  ) -> OperationProperties {
    OperationProperties(
      name: name, about: about, access: access, proof: proof, home: home, lane: lane, isReadOnly: false, isActivity: true,
      isForDamagedVault: onDamagedVault)
  }

  /// Something is shown. An open page or a script may ask for it all day, so it does not keep the session open.
  public static func look(
    _ name: String, _ about: String, from access: Access, home: Home = .either, lane: Lane = .workers
  ) -> OperationProperties {
    OperationProperties(
      name: name, about: about, access: access, proof: .none, home: home, lane: lane, isReadOnly: true, isActivity: false,
      isForDamagedVault: true)
  }
}
