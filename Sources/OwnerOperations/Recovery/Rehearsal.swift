import Backups
import Ciphers
import Curve
import Identities
import JSON
import Mnemonics
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

/// A restore as on a new machine, which is thrown away afterwards. `recovery test` reports its result.
///
/// It happens in a folder of mode 0700 inside the home, under a random passphrase that is never written down. The folder is overwritten and
/// removed at the end. What a crash leaves of it is encrypted, and is removed when the vault is opened next.
final class Rehearsal {
  /// In bytes. The passphrase is written as twice as many hex digits.
  private static let passphraseLength = 16
  private let folder: Home
  private var home: Home { Home(folder.path + "/home", kinds: folder.kinds) }
  private let passphrase: SecretBox

  /// - Parameter home: the home of the vault whose kit is tested.
  init(in home: Home) throws {
    do { passphrase = SecretBox(try KitSecret.hex(of: SecretBox(try SecretBytes(randomCount: Self.passphraseLength)))) } catch {
      throw OperationError.notInMemory
    }
    let made = RehearsalFolder.make(in: home.path)
    guard let made else { throw OperationError(VaultError.io("making a folder for the rehearsal", code: errno)) }
    folder = Home(made, kinds: home.kinds)
  }

  deinit { RehearsalFolder.remove(folder.path) }

  /// Removes what a crash left. Call it only while holding the vault's lock.
  static func removeLeftovers(of home: Home) {
    for name in FolderNames.all(in: home.path) where RehearsalFolder.isOne(name, in: home.path) {
      RehearsalFolder.remove(home.path + "/" + name)
    }
  }

  /// Makes a new vault, restores the key into it by the owner's own operation, closes it, and checks that the key is there.
  func restores(_ key: PublicKey, _ shares: CombinedShares, account: UInt32?) throws {
    try Opening.initialize(home: home, passphrase: try passphrase.duplicate(), cost: .floor)
    var request = RecoveryRestore.Request()
    (request.name, request.npub, request.account) = ("rehearsed", key.npub, account.map { Int64($0) })
    (request.shares.shares, request.shares.recoveryCode) = (shares.lines, shares.code)
    try withOpenedHome { opened in
      let operations = Operations(home: opened, Services(opened), running: nil)
      _ = try operations.perform(RecoveryRestore.call(request), via: .command)
    }
    try withOpenedHome { opened in
      guard opened.identities.all.map(\.publicKey) == [key] else { throw OperationError.rehearsalFailed }
      _ = try opened.identities.keyPair(for: key)
    }
  }

  /// Makes a backup of the vault, restores it by the shares with a new passphrase, and opens every key in it that the kit opens.
  /// - Returns: the identities that are bound to this device. No kit restores them.
  func restoresVault(_ original: OpenedHome, _ shares: CombinedShares) throws -> [Identity] {
    let file = folder.path + "/backup.hfb"
    _ = try original.vault.writeBackup(to: file, number: 1, now: Clock.milliseconds)
    let backup = try RestorableBackup(ReadableBackup(file: file), .shares(shares.lines, code: shares.code))
    _ = try backup.restore(to: home, newPassphrase: passphrase, cost: .floor, isRehearsal: true)
    let bound = original.identities.all.filter(\.protection.isThisDeviceOnly)
    let expected = original.identities.all.filter { !$0.protection.isThisDeviceOnly }
    try withOpenedHome { opened in
      let found = Set(opened.identities.all.map(\.publicKey))
      guard expected.allSatisfy({ found.contains($0.publicKey) }) else { throw OperationError.rehearsalFailed }
      try Self.open(expected, in: opened, RecoveryOpener(master: shares.secret))
    }
    return bound
  }

  /// Reads each key that the shares open. The shares cannot read a key that only passkeys open; they can only enrol it again.
  private static func open(_ identities: [Identity], in home: OpenedHome, _ opener: RecoveryOpener) throws {
    let presence = try home.vault.present(opener, now: Clock.milliseconds)
    let classes = presence.classes
    let held = HeldPresence(presence)
    for identity in identities {
      if !identity.protection.needsPresence {
        _ = try home.identities.keyPair(for: identity.publicKey)
      } else if classes.contains(identity.protection) {
        _ = try home.identities.keyPair(for: identity.publicKey, by: held)
      }
    }
  }

  private func withOpenedHome(_ body: (OpenedHome) throws -> Void) throws {
    let opened = try Opening.open(home: home, credential: ShownCredential(passphrase: passphrase))
    defer { opened.close() }
    try body(opened)
  }
}

extension OperationError {
  static let rehearsalFailed = failed(
    "The shares fit together, but a restore from them did not bring back every key.",
    hint: "Do not rely on this kit. Make a new one, and check the vault: holdfast doctor")
}
