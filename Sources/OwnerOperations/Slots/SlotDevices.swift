import Encodings
package import OwnerAPI
import OwnerWords
import SecretMemory
import Unlocking
import Vault

/// The parts of a slot outside the vault: a key on a token, a wrap in the keyring, a PAM check.
package enum SlotDevices {
  /// Makes the outside part and its enrolment.
  /// - Parameter label: is also shown by tools that list the token or keyring.
  static func enrolment(_ type: SlotType, _ request: SlotAdd.Request, label: String) throws -> SlotEnrolment {
    let name = label.isEmpty ? "Holdfast" : String(decoding: ("Holdfast: " + label).utf8.prefix(longestName), as: UTF8.self)
    do throws(KeyStoreError) {
      switch type {
      case .keyring: return try KeyringEnrolment.make(pamService: request.pamService, label: name)
      default:
        guard let pin = request.newPIN else { throw KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0) }
        return try TokenEnrolment.make(
          token: request.newToken.map(TokenURI.init), module: request.newModule, pin: pin, pamService: request.pamService,
          label: name)
      }
    } catch { throw OperationError(error, by: type) }
  }

  /// Makes a keyring slot whose item is stored nowhere.
  /// - Parameter item: gets the item in base64.
  static func enrolment(givingItem item: inout SecretBox?) throws -> SlotEnrolment {
    do throws(KeyStoreError) {
      var given: SecretBox?
      let enrolment = try KeyringEnrolment.make { given = $0 }
      item = try given.map { box throws(KeyStoreError) in
        var text = box.withBytes { Base64.encode($0) }
        do { return SecretBox(try SecretBytes(wiping: &text)) } catch { throw .vault(.outOfMemory) }
      }
      return enrolment
    } catch { throw OperationError(error, by: .keyring) }
  }

  /// Looks whether the token or keyring is there, without a secret.
  package static func look(for request: SlotAdd.Request) throws(OperationError) {
    do throws(KeyStoreError) {
      switch request.kind {
      case .token: try TokenEnrolment.look(for: request.newToken.map(TokenURI.init), module: request.newModule)
      case .keyring: if request.givesItem != true { try KeyringEnrolment.look() }
      case .passphrase: break
      }
    } catch { throw OperationError(error, by: request.kind == .token ? .token : .keyring) }
  }

  /// The longest name that every token takes, in bytes.
  private static let longestName = 60

  /// Deletes the outside part of a slot that was removed from the vault. A part that is left outside opens nothing.
  /// - Returns: a sentence about what could not be deleted; nil if nothing is left.
  static func forget(_ slot: SlotInfo, _ credential: Credential) -> String? {
    let description = SlotDescription(id: slot.id, type: slot.type, parameters: slot.parameters)
    do throws(KeyStoreError) {
      switch slot.type {
      case .keyring: try KeyringEnrolment.forget(description)
      case .token:
        guard let pin = credential.pin else { return "The token keeps a key that no longer opens anything." }
        try TokenEnrolment.forget(description, module: credential.module, pin: pin)
      default: break
      }
      return nil
    } catch .itemNotFound { return nil } catch {
      return slot.type == .token
        ? "The token keeps a key that no longer opens anything." : "The keyring keeps an entry that no longer opens anything."
    }
  }

  /// Deletes the outside part of a slot that could not be added.
  static func abandon(_ made: SlotDescription, _ request: SlotAdd.Request) {
    switch made.type {
    case .keyring: try? KeyringEnrolment.forget(made)
    case .token: try? TokenEnrolment.forget(made, module: request.newModule, pin: request.newPIN)
    default: break
    }
  }

  /// The token's name, the name of the keyring's item or “systemd credential” if it is in no keyring; nil for other slots.
  static func detail(_ slot: SlotInfo) -> String? {
    switch slot.type {
    case .token: (try? TokenParameters(slot.parameters))?.token.description
    case .keyring: (try? KeyringParameters(slot.parameters)).map { $0.isGiven ? "systemd credential" : "item " + $0.itemName }
    default: nil
    }
  }

  /// The PAM service in front of a slot; nil for none.
  static func pamService(of slot: SlotInfo) -> String? {
    let service =
      switch slot.type {
      case .token: (try? TokenParameters(slot.parameters))?.pamService
      case .keyring: (try? KeyringParameters(slot.parameters))?.pamService
      default: String?.none
      }
    return service.flatMap { $0.isEmpty ? nil : $0 }
  }
}
