public import SecretMemory

extension KeyTextError {
  /// What makes a text no key, whatever else is known of it: found without a vault, and without the password of an encrypted key.
  /// - Returns: nil for a key, and for a text that only an import can judge.
  public static func beyondRepair(_ text: SecretBox) -> KeyTextError? {
    guard let text = try? text.duplicate() else { return nil }
    do throws(IdentityError) { _ = try KeyText.parsing(text, with: ImportHelp()) } catch {
      guard case .badKey(let fault) = error else { return nil }
      switch fault {
      case .unknownFormat, .isPublicKey, .tooLong, .text, .words, .notAKey: return fault
      default: return nil
      }
    }
    return nil
  }
}
