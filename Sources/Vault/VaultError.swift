/// Why a vault could not be made, opened, read or changed. No case carries a secret or what was typed.
public enum VaultError: Error, Sendable {
  /// There is no vault in the folder.
  case noVault
  /// There is a vault in the folder already.
  case exists
  /// The process with this id has the vault open; 0 when it cannot be told.
  case inUse(pid: Int32)
  /// The passphrase opens no slot. The next attempt is refused for so many seconds (0: at once).
  case wrongPassphrase(waitSeconds: Int)
  /// Too soon after wrong passphrases; nothing was tried. Seconds still to wait.
  case throttled(waitSeconds: Int)
  /// The file was written by a later version of this program and was not touched.
  case newerVersion(found: UInt32)
  /// Bytes at rest are not what was written. Names the part, or the kind of the record.
  case corrupt(what: StaticString)
  /// The folder belongs to another user, or others can look into it: its permission bits (make them 0700).
  case folderNotPrivate(mode: UInt32)
  /// The Argon2id cost in the file or in the call is outside the floor and ceiling.
  case costOutOfRange
  /// A system call or the database failed at the named step. `code` is errno: ENOSPC when the disk is full.
  case io(StaticString, code: Int32)
  /// No guarded memory, or none for the passphrase function.
  case outOfMemory
  /// The vault was closed.
  case closed
  /// The key of the record's protection class is not in memory.
  case locked
  /// The record's class is opened for one use at a time: the owner has to be present.
  case presenceRequired(ProtectionClass)
  /// The slot that was opened may not open this class.
  case notEntitled(ProtectionClass)
  /// No slot opens this class: add one that does.
  case noSlotFor(ProtectionClass)
  /// A passkey was added or removed meanwhile: records of `biometricRequired` cannot be read until they are enrolled again.
  case biometryChanged
  /// The record was bound to another device, or this one has lost its device secret.
  case otherDevice
  /// The device secret is sealed by a chip, which did not open it, or did not seal a new one.
  case deviceSealed(DeviceSealError)
  /// There is no such slot, or none of this type.
  case noSuchSlot
  /// It is the last slot: without it nobody could open the vault.
  case lastSlot
  /// Only passkeys would be left; they can be lost without a trace.
  case onlyPasskeysLeft
  /// Only the keyring would be left; it does not open the identities.
  case onlyKeyringLeft
  /// The limit of slots is reached.
  case tooManySlots(limit: Int)
  /// Records of this class could never be read again.
  case wouldLose(ProtectionClass)
  /// A record of a secret kind was asked for, or given, as plain bytes.
  case kindIsSecret
  /// A record's id or value is longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// There is no such record, or the thing that it describes does not exist.
  case notFound
  /// A slot or item of this name exists already.
  case nameTaken
  /// The label of a slot, or the name of an item, is too long or has control characters.
  case nameNotAllowed
}

extension VaultError: Equatable {
  /// `StaticString` has no equality of its own; no case holds anything whose text would be ambiguous.
  public static func == (left: VaultError, right: VaultError) -> Bool { "\(left)" == "\(right)" }
}
