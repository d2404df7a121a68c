import Encodings
import SecretMemory

/// A slot whose secret was shown.
struct ProvenSlot {
  let slot: Keyslot
  let secret: SecretBox
  private let keys: SlotKeys

  var type: SlotType { SlotType(rawValue: slot.type) ?? .passphrase }

  init(_ slot: Keyslot, _ secret: SecretBox, of vaultID: [UInt8]) throws(VaultError) {
    let copy = try vaultFault(.outOfMemory) { try secret.duplicate() }
    (self.slot, self.secret) = (slot, secret)
    keys = try SlotKeys(copy, of: slot, vaultID)
  }

  /// Tries an opener on the slots of its type. One whose device is not there, or fails, keeps it from no other.
  /// - Returns: nil when it opens none of them.
  /// - Throws: `.vault(.noSuchSlot)` when there is none of its type, `.corrupt`, and what the opener throws.
  static func find(_ opener: some SlotOpener, in header: VaultHeader) throws(KeyStoreError) -> ProvenSlot? {
    var isThere = false
    var absence: KeyStoreError?
    for slot in header.slots {
      guard let description = slot.description, description.type == opener.type else { continue }
      isThere = true
      do throws(KeyStoreError) {
        if let proven = try fitting(try opener.secret(of: description), slot, header) { return proven }
        if let proven = try fitting(try opener.earlierSecret(of: description), slot, header) { return proven }
      } catch {
        guard error.isAbsence else { throw error }
        absence = absence ?? error
      }
    }
    guard isThere else { throw .vault(.noSuchSlot) }
    if let absence { throw absence }
    return nil
  }

  /// - Returns: nil when the secret is not the slot's.
  private static func fitting(
    _ shown: consuming SecretBytes?, _ slot: Keyslot, _ header: VaultHeader
  ) throws(KeyStoreError) -> ProvenSlot? {
    guard let secret = shown else { return nil }
    guard secret.count == 32 else { throw .corrupt("keyslot") }
    let found = SecretBox(secret)
    return try keyStoreFault { () throws(VaultError) in
      let proven = try ProvenSlot(slot, found, of: header.vaultID)
      guard proven.keys.fit(slot) else { return nil }
      try proven.keys.check(slot, header.vaultID, version: header.version)
      return proven
    }
  }

  /// Every class key the slot has that can be opened here.
  /// - Parameter device: of the classes of this device; nil leaves them closed.
  func classKeys(of header: VaultHeader, device: DeviceSecret?) throws(VaultError) -> ClassKeys {
    var found = ClassKeys()
    let enrolment = header.enrolment
    for wrap in slot.wraps {
      guard let protection = ProtectionClass(rawValue: wrap.protection), !protection.isThisDeviceOnly || device != nil else {
        continue
      }
      do {
        found.set(
          protection,
          try ClassWrap.open(
            wrap, as: protection, of: slot, header.vaultID, with: keys, device: device, enrolment: enrolment))
      } catch {
        // The wrap is as it was made, or its slot's code would have told: the passkeys are others now.
        guard case .corrupt = error, type == .passkey, protection.base == .biometricRequired else { throw error }
      }
    }
    return found
  }
}

extension KeyStoreError {
  /// Whether the error only says something about a slot's device, and nothing about the credential.
  fileprivate var isAbsence: Bool {
    switch self {
    case .notPresent, .deviceFailed, .itemNotFound: true
    default: false
    }
  }
}
