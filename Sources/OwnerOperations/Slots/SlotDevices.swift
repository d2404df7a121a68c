import OwnerAPI
import SecretMemory
import Unlocking
import Vault

/// What of a slot lies outside the vault: a key on a token, a wrap in the keyring, a gate of PAM.
enum SlotDevices {
  /// Makes the part outside and the enrolment that goes with it.
  /// - Parameter label: also shown by tools that look into the token or keyring.
  static func enrolment(_ type: SlotType, _ request: SlotAdd.Request, label: String) throws -> SlotEnrolment {
    let name = label.isEmpty ? "Holdfast" : String(decoding: ("Holdfast: " + label).utf8.prefix(longestName), as: UTF8.self)
    do throws(KeyStoreError) {
      switch type {
      case .keyring: return try KeyringEnrolment.make(gate: request.pamService, label: name)
      default:
        guard let pin = request.newPIN else { throw KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0) }
        return try TokenEnrolment.make(
          token: request.newToken.map(TokenURI.init), module: request.newModule, pin: pin, gate: request.pamService, label: name)
      }
    } catch { throw OperationError(error, by: type) }
  }

  /// Bytes of a name that every token takes.
  private static let longestName = 60

  /// Deletes the part outside of a slot that is gone from the vault. Nothing depends on it: what is left outside opens nothing.
  /// - Returns: what could not be deleted, in words; nil when nothing is left.
  static func forget(_ slot: SlotInfo, _ credential: Credential) -> String? {
    let description = SlotDescription(id: slot.id, type: slot.type, parameters: slot.parameters)
    do throws(KeyStoreError) {
      switch slot.type {
      case .keyring: try KeyringEnrolment.forget(description)
      case .token:
        guard let pin = credential.pin else { return "The token keeps a key that opens nothing any more." }
        try TokenEnrolment.forget(description, module: credential.module, pin: pin)
      default: break
      }
      return nil
    } catch .itemNotFound { return nil } catch {
      return slot.type == .token
        ? "The token keeps a key that opens nothing any more." : "The keyring keeps a piece that opens nothing any more."
    }
  }

  /// Deletes the part outside of a slot that did not come to be.
  static func abandon(_ made: SlotDescription, _ request: SlotAdd.Request) {
    switch made.type {
    case .keyring: try? KeyringEnrolment.forget(made)
    case .token: try? TokenEnrolment.forget(made, module: request.newModule, pin: request.newPIN)
    default: break
    }
  }

  /// Which token, or what a keyring's item is called; nil for other slots.
  static func detail(_ slot: SlotInfo) -> String? {
    switch slot.type {
    case .token: (try? TokenParameters(slot.parameters))?.token.description
    case .keyring: (try? KeyringParameters(slot.parameters)).map { "item " + $0.itemName }
    default: nil
    }
  }

  /// The PAM service in front of a slot; nil for none.
  static func gate(_ slot: SlotInfo) -> String? {
    let gate =
      switch slot.type {
      case .token: (try? TokenParameters(slot.parameters))?.gate
      case .keyring: (try? KeyringParameters(slot.parameters))?.gate
      default: String?.none
      }
    return gate.flatMap { $0.isEmpty ? nil : $0 }
  }
}
