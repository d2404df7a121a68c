/// What people call an app.
public enum AppName {
  /// The name that is shown: the owner's or the app's own. An app that has neither is told from others by its key.
  /// - Parameters:
  ///   - name: as it is stored; the signer stores one made of the key for an app that gave none.
  ///   - key: the app's public key, 64 hex digits.
  public static func shown(_ name: String, _ key: String) -> String {
    let digits = key.prefix(8)
    return name.isEmpty || name == digits || name == "app \(digits)" ? unnamed + digits : name
  }

  /// The first digits of the key in a name that `shown` made; nil for another name.
  public static func digits(in shown: String) -> String? {
    let digits = shown.dropFirst(unnamed.count)
    guard shown.hasPrefix(unnamed), digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit) else { return nil }
    return String(digits)
  }

  private static let unnamed = "Unnamed app · "
}

extension AppSummary {
  /// What people call it.
  public var shownName: String { AppName.shown(name, pubkey) }
}

extension RequestingApp {
  /// What people call it.
  public var shownName: String { AppName.shown(name, pubkey) }
}
