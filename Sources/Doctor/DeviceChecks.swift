import Encodings
import JSON
import OwnerOperations
import OwnerWords
import Signer
import Unlocking
import Vault

/// Checks what binds keys to this device, and whether the vault is bound to it. A TPM opens a sealed secret, which is wiped at
/// once.
enum DeviceChecks {
  /// - Parameter mark: the secret that the vault is bound to; nil for none.
  static func all(
    home: Home, _ chip: TPMSealer?, boundTo mark: () throws(VaultError) -> DeviceMark?
  ) -> [Finding] {
    let bound: DeviceMark?
    do throws(VaultError) { bound = try mark() } catch {
      return [
        .warning(
          "device-binding", "The device.key could not be compared with the one that this vault is bound to.",
          advice: "Fix the findings about the vault below, then check again: holdfast doctor")
      ]
    }
    guard let bound else { return [] }
    do throws(VaultError) {
      return [finding(try Vault.deviceBinding(home: home.path, to: bound, sealer: chip), home, chip)]
    } catch {
      return [
        .bad(
          "device-binding", "device.key cannot be read.", advice: "Check that it is yours and a plain file: ls -l '\(home.path)'")
      ]
    }
  }

  /// Reads a running signer's response to `doctor/device`.
  /// - Throws: `.corrupt` if the response has no usable mark.
  static func mark(toldBy signer: JSONValue?) throws(VaultError) -> DeviceMark? {
    guard let told = signer?["mark"] else { throw .corrupt(what: "answer") }
    if told == .null { return nil }
    guard let bytes = Hex.decode((told.string ?? "").utf8), let mark = DeviceMark(bytes) else { throw .corrupt(what: "answer") }
    return mark
  }

  private static func finding(_ binding: DeviceBinding, _ home: Home, _ chip: TPMSealer?) -> Finding {
    let text = "Keys of this-device-only classes are in no backup. Against a copy of the whole home: "
    switch binding {
    case .chip(let place, isOfThisMachine: true):
      return .good("device-binding", text + "bound to this machine's TPM (\(place)), which opened device.key just now.")
    case .chip: return .good("device-binding", text + "not enforced here: \(binding.reason).")
    case .closed(let fault): return .bad("device-binding", fault.sentence, advice: fault.hint)
    case .file where chip?.isMisnamed == true:
      return .bad("device-binding", DeviceSealError.misnamed.sentence, advice: DeviceSealError.misnamed.hint)
    case .file:
      return .good("device-binding", text + "not enforced here: no TPM seals device.key." + offer(chip))
    case .missing: return lost("device.key is missing, but this vault is bound to it.", home)
    case .elsewhere:
      return lost(
        "device.key is not the one that this vault is bound to: it was replaced, or this is another machine.", home)
    }
  }

  /// The finding about keys of this device that cannot be opened until the right file is back.
  private static func lost(_ what: String, _ home: Home) -> Finding {
    let kept = Vault.keptDeviceKeys(home: home.path)
    let names = kept.joined(separator: ", ")
    let aside = kept.isEmpty ? "" : " 'holdfast init' may have kept it as \(names): rename that file to device.key."
    return .bad(
      "device-binding",
      what + " Keys of classes that end in this-device-only cannot be opened; all other keys can.",
      advice: """
        Restore this home's device.key, or use the vault on its own machine. Then restart the signer.\(aside) If it is gone \
        for good, so are these keys: holdfast slot bind names them, removes them if you accept that (--accept-loss), and makes a \
        new device.key. Restore each key from its own recovery kit or export.
        """)
  }

  private static func offer(_ chip: TPMSealer?) -> String {
    guard let chip, chip.isOfThisMachine else { return "" }
    return chip.isPermitted
      ? " This machine has a TPM that can seal it: holdfast slot bind --tpm"
      : " This machine has a TPM that you may not use yet: sudo usermod -aG tss $USER"
  }
}
