import Encodings
import JSON
import OwnerOperations
import Signer
import Unlocking
import Vault

/// What binds keys of this device only to it, and whether it is what the vault is bound to. A sealed secret is opened by the TPM, and
/// forgotten at once.
enum DeviceChecks {
  /// - Parameter mark: which secret the vault is bound to; nil for none.
  static func all(
    home: Home, _ chip: TPMSealer?, boundTo mark: () throws(VaultError) -> DeviceMark?
  ) -> [Finding] {
    let bound: DeviceMark?
    do throws(VaultError) { bound = try mark() } catch {
      return [
        .warning(
          "device-binding", "Whether device.key is the one this vault is bound to could not be compared.",
          advice: "See what is said of the vault below, mend that, then look again: holdfast doctor")
      ]
    }
    guard let bound else { return [] }
    do throws(VaultError) {
      return [finding(try Vault.deviceBinding(home: home.path, to: bound, sealer: chip), home, chip)]
    } catch {
      return [.bad("device-binding", "device.key cannot be read.", advice: "Is it yours, and a plain file? ls -l '\(home.path)'")]
    }
  }

  /// What `doctor/device` of a running signer says.
  /// - Throws: `.corrupt` when it says nothing of use.
  static func mark(toldBy signer: JSONValue?) throws(VaultError) -> DeviceMark? {
    guard let told = signer?["mark"] else { throw .corrupt(what: "answer") }
    if told == .null { return nil }
    guard let bytes = Hex.decode((told.string ?? "").utf8), let mark = DeviceMark(bytes) else { throw .corrupt(what: "answer") }
    return mark
  }

  private static func finding(_ binding: DeviceBinding, _ home: Home, _ chip: TPMSealer?) -> Finding {
    let text = "Keys of this device only are in no backup. Against a copy of the whole folder: "
    switch binding {
    case .chip(let place, isOfThisMachine: true):
      return .good("device-binding", text + "bound to this machine's TPM (\(place)), which opened device.key just now.")
    case .chip: return .good("device-binding", text + "not enforced here: \(binding.reason).")
    case .closed(let fault): return .bad("device-binding", fault.sentence, advice: fault.hint)
    case .file where chip?.isMisnamed == true:
      return .bad("device-binding", DeviceSealError.misnamed.sentence, advice: DeviceSealError.misnamed.hint)
    case .file:
      return .good("device-binding", text + "that is not enforced here: no TPM seals device.key." + offer(chip))
    case .missing: return lost("device.key is missing, and this vault is bound to it.", home)
    case .elsewhere:
      return lost(
        "device.key is not the one this vault is bound to: another was put in its place, or this is another machine.", home)
    }
  }

  /// Keys of this device only that cannot be opened, as long as the right file is not back.
  private static func lost(_ what: String, _ home: Home) -> Finding {
    let kept = Vault.keptDeviceKeys(home: home.path)
    let names = kept.joined(separator: ", ")
    let aside = kept.isEmpty ? "" : " It may be what 'holdfast init' found and kept (\(names)): rename that to device.key."
    return .bad(
      "device-binding",
      what + " Keys of classes that end in this-device-only cannot be opened; all other keys can.",
      advice: """
        Put back the device.key of this folder, or use the vault on its own machine; then start the signer again.\(aside) If it is gone \
        for good, so are these keys: holdfast slot bind names them, removes them when you accept that (--accept-loss), and makes a \
        new device.key. Bring each back from its own recovery kit or export.
        """)
  }

  private static func offer(_ chip: TPMSealer?) -> String {
    guard let chip, chip.isOfThisMachine else { return "" }
    return chip.isPermitted
      ? " This machine has a TPM, which can: holdfast slot bind --tpm"
      : " This machine has a TPM, which you may not use yet: sudo usermod -aG tss $USER"
  }
}
