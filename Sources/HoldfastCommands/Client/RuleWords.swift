import Curve
import Nostr
import OwnerAPI

/// Finds the rule of an app that a person means: the permission in full, as `client show` shortens it, or its beginning.
enum RuleWords {
  /// The fewest characters of a person or a place that name a rule, without `npub1`.
  private static let shortest = 4

  /// The permission of the one rule that a text means; else the text itself.
  static func whole(_ text: String, among rules: [AppRule]) -> String {
    if rules.contains(where: { $0.permission == text }) { return text }
    let shown = rules.filter { $0.text == text }
    if shown.count == 1 { return shown[0].permission }
    guard isLongEnough(text) else { return text }
    let begun = rules.filter { rule in forms(of: rule).contains { $0.hasPrefix(text) } }
    return begun.count == 1 ? begun[0].permission : text
  }

  /// The one rule for a part of what a permission covers, as `client show` has it; nil for none and for several.
  static func narrower(than text: String, among rules: [AppRule]) -> String? {
    let found = rules.filter { $0.permission.hasPrefix(text + "@") }
    return found.count == 1 ? found[0].text : nil
  }

  private static func isLongEnough(_ text: String) -> Bool {
    guard let scope = text.split(separator: "@", maxSplits: 1).dropFirst().first else { return false }
    return (scope.hasPrefix("npub1") ? scope.dropFirst(5) : scope).count >= shortest
  }

  /// The permission as it is stored, and with the person as an npub or in hex digits.
  private static func forms(of rule: AppRule) -> [String] {
    let parts = rule.permission.split(separator: "@", maxSplits: 1).map(String.init)
    guard parts.count == 2, let key = PublicKey(npubOrHex: parts[1]) else { return [rule.permission] }
    return [rule.permission, "\(parts[0])@\(key.npub)", "\(parts[0])@\(key.hex)"]
  }
}
