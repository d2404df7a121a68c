import Identities
import OwnerAPI
import Vault

/// What binds keys to this device, in words for people.
extension DeviceBinding {
  /// Whether this machine's TPM has opened the secret in this run: only then a copy of the folder opens nothing.
  var isOfThisMachine: Bool { if case .chip(_, isOfThisMachine: true) = self { true } else { false } }

  /// As receipt and status say it. "Bound" only after the TPM has opened the secret in this run.
  var words: String {
    switch self {
    case .chip(_, isOfThisMachine: true): "bound to this machine's TPM"
    case .chip, .file: "not enforced here"
    case .missing: "device.key is missing, and these keys cannot be opened without it"
    case .elsewhere: "device.key is not the one these keys are bound to, and they cannot be opened"
    case .closed: "sealed by a TPM, which does not open it"
    }
  }

  /// What makes it so.
  package var reason: String {
    switch self {
    case .chip(let place, isOfThisMachine: true):
      "device.key is sealed, and the TPM (\(place)) opened it when the vault was opened; root on this machine could have it opened, too"
    case .chip(let place, _): "device.key is sealed by a TPM of software (\(place)), which can be copied like a file"
    case .closed(let fault): fault.sentence
    case .missing: "device.key is missing: what is bound to it cannot be opened here"
    case .elsewhere: "device.key is not the one the vault is bound to: what is bound to that cannot be opened here"
    case .file:
      "it is in no backup; but device.key lies in the folder and everybody can read the machine's id: no chip seals them"
    }
  }
}

extension DeviceSealError {
  /// What happened.
  package var sentence: String {
    switch self {
    case .noChip: "device.key is for a TPM, and none is found here."
    case .notPermitted: "device.key is for this machine's TPM, which this user may not use."
    case .noLibrary: "device.key is for a TPM, and the library that talks with it is not installed."
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
      "Turn the TPM on in the firmware's settings, or use the vault on its own machine. If that TPM is gone for good: \(Self.giveUp)"
    case .notPermitted: "Add yourself to the group of the device, then sign in again: sudo usermod -aG tss $USER"
    case .noLibrary: "Install it, then start again: apt install libtss2-esys-3.0.2-0 libtss2-tcti-device0"
    case .misnamed:
      "Write device:/dev/tpmrm0 for a device, swtpm:path=SOCKET for a TPM of software, or none; or unset it for this machine's TPM."
    case .noAnswer, .brokenOff, .refused:
      "Start again; if that does not help, restart the machine. The vault opens without: only keys of this device wait."
    case .anotherChip: "Use the vault on its own machine. If its TPM was cleared or is gone: \(Self.giveUp)"
    case .damaged: "Put back a copy of device.key from this machine. If there is none: \(Self.giveUp)"
    case .newerVersion: "Update Holdfast."
    }
  }

  /// Whether it may be mended, so that nothing is given up for it without a word.
  var mayPass: Bool {
    switch self {
    case .notPermitted, .noLibrary, .noAnswer, .brokenOff, .misnamed, .refused, .newerVersion: true
    case .noChip, .anotherChip, .damaged: false
    }
  }

  private static let giveUp =
    "import these keys again from their own recovery kit or export, after: holdfast slot bind, which names what it removes."
}

extension OperationError {
  /// Why what a TPM seals cannot be had.
  init(_ fault: DeviceSealError) { self.init(.locked, fault.sentence, hint: fault.hint) }
}

extension OperationError {
  static let noChipHere = OperationError(
    .failed, "No TPM is found on this machine. Nothing was changed.",
    hint: "Turn the TPM on in the firmware's settings, or go on as before: 'holdfast identity receipt NAME' says what that means")
}
