internal import Unlocking
internal import Vault

/// What binds keys of this device only to it: a sealed secret is opened by the TPM, and forgotten at once.
enum DeviceChecks {
  static func all(home: Home, _ chip: TPMSealer?) -> [Finding] {
    do {
      guard let binding = try Vault.deviceKey(home: home.path, sealer: chip) else { return [] }
      return [finding(binding, chip)]
    } catch {
      return [.bad("device-binding", "device.key cannot be read.", advice: "Is it yours, and a plain file? ls -l '\(home.path)'")]
    }
  }

  private static func finding(_ binding: DeviceBinding, _ chip: TPMSealer?) -> Finding {
    let text = "Keys of this device only are in no backup. Against a copy of the whole folder: "
    switch binding {
    case .chip(let place, isOfThisMachine: true):
      return .good("device-binding", text + "bound to this machine's TPM (\(place)), which opened device.key just now.")
    case .chip: return .good("device-binding", text + "not enforced here: \(binding.reason).")
    case .closed(let fault): return .bad("device-binding", fault.sentence, advice: fault.hint)
    case .file, .elsewhere:
      return .good("device-binding", text + "that is not enforced here: no TPM seals device.key." + offer(chip))
    }
  }

  private static func offer(_ chip: TPMSealer?) -> String {
    guard let chip, chip.isOfThisMachine else { return "" }
    return chip.isPermitted
      ? " This machine has a TPM, which can: holdfast slot bind --tpm"
      : " This machine has a TPM, which you may not use yet: sudo usermod -aG tss $USER"
  }
}
