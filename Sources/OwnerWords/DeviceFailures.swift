import Identities
package import OwnerAPI
package import Vault

/// What binds keys to this device, as sentences.
extension DeviceBinding {
  /// Whether this machine's TPM has opened the secret in this run. Only then does a copy of the folder open nothing.
  package var isOfThisMachine: Bool { if case .chip(_, isOfThisMachine: true) = self { true } else { false } }

  /// The words in receipt and status. "Bound" only after the TPM has opened the secret in this run.
  package var words: String {
    switch self {
    case .chip(_, isOfThisMachine: true): "bound to this machine's TPM"
    case .chip, .file: "not enforced here"
    case .missing: "device.key is missing, and these keys do not open without it"
    case .elsewhere: "device.key is not the one that these keys are bound to, so they do not open"
    case .closed: "sealed by a TPM, which does not open it"
    }
  }

  /// Why that holds.
  package var reason: String {
    switch self {
    case .chip(let place, isOfThisMachine: true):
      "the TPM (\(place)) seals device.key, and opened it when the vault was opened; root on this machine can use the TPM too"
    case .chip(let place, _): "a software TPM (\(place)) seals device.key, and it can be copied like a file"
    case .closed(let fault): fault.sentence
    case .missing: "device.key is missing, so keys that are bound to it do not open here"
    case .elsewhere: "device.key is not the one that the vault is bound to, so keys that are bound to it do not open here"
    case .file:
      "no backup has it, but device.key is in the folder, everybody can read the machine's id, and no chip seals them"
    }
  }
}

extension DeviceSealError {
  /// What happened.
  package var sentence: String {
    switch self {
    case .noChip: "device.key needs a TPM, but this machine has none."
    case .notPermitted: "device.key needs this machine's TPM, but this user may not use it."
    case .noLibrary: "device.key needs a TPM, but the TPM library is not installed."
    case .noAnswer: "The TPM did not answer in time."
    case .brokenOff(let code): "The connection to the TPM failed (code 0x\(String(code, radix: 16)))."
    case .misnamed: "HOLDFAST_TPM does not name a TPM."
    case .anotherChip: "device.key was sealed by another TPM, or by this one before it was cleared."
    case .damaged: "device.key is damaged."
    case .newerVersion: "device.key was written by a newer Holdfast."
    case .refused(let code): "The TPM refused (code 0x\(String(code, radix: 16)))."
    }
  }

  /// What to do.
  package var hint: String {
    switch self {
    case .noChip:
      "Turn the TPM on in the firmware settings, or use the vault on its own machine. If that TPM is gone for good: \(Self.giveUp)"
    case .notPermitted: "Add yourself to the device's group, then log in again: sudo usermod -aG tss $USER"
    case .noLibrary: "Install it, then restart the signer: apt install libtss2-esys-3.0.2-0 libtss2-tcti-device0"
    case .misnamed:
      "Use device:/dev/tpmrm0 for a device, swtpm:path=SOCKET for a software TPM, or none. Unset it for this machine's TPM."
    case .noAnswer, .brokenOff, .refused:
      "Restart the signer. If that does not help, restart the machine. The vault opens without the TPM; only keys of this-device-only classes wait."
    case .anotherChip: "Use the vault on its own machine. If its TPM was cleared or is gone: \(Self.giveUp)"
    case .damaged: "Restore a copy of this machine's device.key. If there is none: \(Self.giveUp)"
    case .newerVersion: "Update Holdfast."
    }
  }

  /// Whether it may be repaired later, so that nothing is given up for it without asking.
  package var mayPass: Bool {
    switch self {
    case .notPermitted, .noLibrary, .noAnswer, .brokenOff, .misnamed, .refused, .newerVersion: true
    case .noChip, .anotherChip, .damaged: false
    }
  }

  private static let giveUp =
    "run holdfast slot bind, which names what it removes. Then import these keys from their own recovery kit or export."
}

extension OperationError {
  /// Why the secret that a TPM seals is not available.
  package init(_ fault: DeviceSealError) { self.init(.locked, fault.sentence, hint: fault.hint) }
}

extension OperationError {
  package static let noChipHere = OperationError(
    .failed, "This machine has no TPM. Nothing was changed.",
    hint:
      "Turn the TPM on in the firmware settings. Or continue without it: 'holdfast identity receipt NAME' says what that means.")
}
