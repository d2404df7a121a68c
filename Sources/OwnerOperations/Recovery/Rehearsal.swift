import Backups
import Ciphers
import Curve
import Identities
import JSON
import Mnemonics
import Nostr
import OwnerAPI
import Platform
import SecretMemory
import Signer
import Vault

/// A restore on a bare machine, done and thrown away: what `recovery test` says is what it saw.
///
/// It happens in a folder of mode 0700 inside the home, under a random passphrase that is never written down. The folder is
/// overwritten and removed at the end; what a crash leaves of it is sealed, and goes when the vault is opened next.
final class Rehearsal {
  private static let prefix = "rehearsal-"
  /// Bytes; as many hex digits twice.
  private static let passphraseLength = 16
  private let folder: Home
  private var home: Home { Home(folder.path + "/home", kinds: folder.kinds) }
  private let passphrase: SecretBox

  /// - Parameter home: of the vault whose kit is rehearsed.
  init(in home: Home) throws {
    do { passphrase = SecretBox(try KitSecret.hex(of: SecretBox(try SecretBytes(randomCount: Self.passphraseLength)))) } catch {
      throw OperationError.notInMemory
    }
    var template = Array((home.path + "/" + Self.prefix + "XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } }
    guard let made else { throw OperationError(VaultError.io("making a folder for the rehearsal", code: errno)) }
    folder = Home(made, kinds: home.kinds)
  }

  deinit { TemporaryHome.wipe(folder) }

  /// Removes what a crash left. Only who holds the vault's lock may call it.
  static func removeLeftovers(of home: Home) {
    for name in TemporaryHome.names(in: home.path) where name.hasPrefix(prefix) {
      let path = home.path + "/" + name
      var status = stat()
      // Nothing behind a link is ours.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
      TemporaryHome.wipe(Home(path, kinds: home.kinds))
    }
  }

  /// Makes a new vault, brings the key back into it by the owner's own operation, closes it, and looks whether the key is there.
  func restores(_ key: PublicKey, _ shares: CombinedShares, account: UInt32?) throws {
    try Opening.initialize(home: home, passphrase: try passphrase.duplicate(), cost: .floor)
    var request = RecoveryRestore.Request()
    (request.name, request.npub, request.account) = ("rehearsed", key.npub, account.map { Int64($0) })
    (request.shares.shares, request.shares.recoveryCode) = (shares.lines, shares.code)
    try opened { core in
      let operations = Operations(core: core, Services(core), running: nil)
      _ = try operations.perform(RecoveryRestore.call(request), via: .command)
    }
    try opened { core in
      guard core.identities.all.map(\.publicKey) == [key] else { throw OperationError.rehearsalFailed }
      _ = try core.identities.keyPair(for: key)
    }
  }

  /// Makes a backup of the vault, restores it by the shares with a new passphrase, and opens every key in it that the kit opens.
  /// - Returns: identities that are bound to this device: no kit brings them back.
  func restoresVault(_ original: Core, _ shares: CombinedShares) throws -> [Identity] {
    let file = folder.path + "/backup.hfb"
    _ = try original.vault.writeBackup(to: file, number: 1, now: Clock.milliseconds)
    let backup = try RestorableBackup(ReadableBackup(file: file), .shares(shares.lines, code: shares.code))
    _ = try backup.restore(to: home, newPassphrase: passphrase, cost: .floor, isRehearsal: true)
    let bound = original.identities.all.filter(\.protection.isThisDeviceOnly)
    let expected = original.identities.all.filter { !$0.protection.isThisDeviceOnly }
    try opened { core in
      let found = Set(core.identities.all.map(\.publicKey))
      guard expected.allSatisfy({ found.contains($0.publicKey) }) else { throw OperationError.rehearsalFailed }
      try Self.open(expected, in: core, RecoveryOpener(master: shares.secret))
    }
    return bound
  }

  /// Reads each key that the shares may read; a key for present passkeys alone can only be enrolled anew by them.
  private static func open(_ identities: [Identity], in core: Core, _ opener: RecoveryOpener) throws {
    let presence = try core.vault.present(opener, now: Clock.milliseconds)
    let classes = presence.classes
    let held = HeldPresence(presence)
    for identity in identities {
      if !identity.protection.needsPresence {
        _ = try core.identities.keyPair(for: identity.publicKey)
      } else if classes.contains(identity.protection) {
        _ = try core.identities.keyPair(for: identity.publicKey, by: held)
      }
    }
  }

  private func opened(_ body: (Core) throws -> Void) throws {
    let core = try Opening.core(home: home, evidence: ShownCredential(passphrase: passphrase))
    defer { core.close() }
    try body(core)
  }
}

extension OperationError {
  static let rehearsalFailed = failed(
    "The shares fit, but a restore from them did not bring every key back.",
    hint: "Do not rely on this kit: make a new one, and look at the vault with: holdfast doctor")
}
