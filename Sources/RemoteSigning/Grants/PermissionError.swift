/// Why a text is no permission of the owner's rules.
public enum PermissionError: Error, Hashable, Sendable {
  /// What stands first is no method of NIP-46.
  case unknownMethod
  /// What stands behind the `:` is no number from 0 to 65535.
  case notAKind
  /// A kind stands behind a method that has none.
  case kindWithoutSigning
  /// What stands behind the `@` is no person's key, though the method concerns a person.
  case notAPerson
  /// What stands behind the `@` is nothing that this method and kind can be limited to.
  case notAPlace

  /// - Parameter text: as the owner wrote it.
  /// - Returns: the first fault found; nil when the text is a permission.
  public init?(in text: String) {
    guard Permission(parsing: text) == nil else { return nil }
    let head = text.prefix { $0 != "@" }
    let parts = head.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let method = parts.first.flatMap({ Method(rawValue: String($0)) }) else {
      self = .unknownMethod
      return
    }
    if parts.count > 1, method != .signEvent {
      self = .kindWithoutSigning
    } else if parts.count > 1, !(Int(parts[1]).map((0...65535).contains) ?? false) {
      self = .notAKind
    } else {
      switch method {
      case .nip04Encrypt, .nip04Decrypt, .nip44Encrypt, .nip44Decrypt: self = .notAPerson
      default: self = .notAPlace
      }
    }
  }
}
