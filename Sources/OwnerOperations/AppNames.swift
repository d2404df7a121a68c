import Curve
import Encodings
import Nostr
import OwnerAPI
import OwnerWords
import RemoteSigning

/// An app as it can be named: for commands about paired apps and for the log, which also knows those that are gone.
struct NamedApp {
  let key: PublicKey
  /// The pairing's own key, since an app may be paired with two identities. Nil for an app that is gone.
  var remoteSigner: PublicKey?
  /// As it is stored.
  let name: String

  /// The name as it is shown everywhere.
  var shownName: String { AppName.shown(name, key.hex) }
}

/// Finds the app that a text of the owner's names.
///
/// One rule for all commands: a public key (hex or npub), the first 4 or more digits of one, the name, or the beginning of the name or of a
/// word of it, 3 letters or more, if no other app's begins so. Capitals do not matter. 16 hex digits or more always mean a key, whatever apps
/// are called: apps choose their names. Somebody could generate a key that begins with a few given digits, so fewer digits are compared with
/// names as well.
package struct AppNames {
  /// What a text names.
  enum Found {
    case one(NamedApp)
    case none
    /// It is the beginning of a name, but too short.
    case tooShort
    /// Several, with the name as the text says it or with a key or name that begins so.
    case several([NamedApp])
  }

  /// The shortest beginning of a key that names an app, in hex digits.
  static let shortestKey = 4
  /// The shortest beginning of a name that names an app, in bytes.
  static let shortestName = 3
  /// The number of a key's first digits that lists show. Nobody can generate a key that begins with so many given digits.
  static let shownDigits = 16
  /// How many apps an error names.
  private static let mostNamed = 5

  let apps: [NamedApp]

  /// - Parameter inPart: whether the beginning of a name is enough.
  func find(_ typed: String, inPart: Bool = true) -> Found {
    let text = Self.asTyped(typed)
    if Self.isKey(text) { return found(apps.filter { hasKey(text, $0) }) }
    let digits = AppName.digits(in: text) ?? text
    let small = Self.small(text)
    // An app that differs in its capitals only is another one that can be meant.
    let same = apps.filter { hasName(small, $0) || isBeginning(digits, of: $0) }
    guard same.isEmpty, inPart, !Self.mayBeOfKey(text), !small.isEmpty else { return found(same) }
    let begun = beginning(with: text)
    return small.count < Self.shortestName && !begun.isEmpty ? .tooShort : found(begun)
  }

  /// The apps whose name, or a word of it, begins with the text.
  func beginning(with text: String) -> [NamedApp] { apps.filter { Self.begins(Self.small($0.shownName), Self.small(text)) } }

  /// Whether a text is the whole name of an app, or digits of its key.
  /// - Parameters:
  ///   - name: as the app is stored or shown.
  ///   - key: 64 hex digits.
  package static func isWhole(_ typed: String, _ name: String, _ key: String) -> Bool {
    let text = asTyped(typed)
    let digits = AppName.digits(in: text) ?? text
    return isKey(text) || small(text) == small(name) || digits.utf8.count >= shortestKey && key.hasPrefix(digits.lowercased())
  }

  private func hasName(_ small: [UInt8], _ app: NamedApp) -> Bool {
    Self.small(app.shownName) == small || Self.small(app.name) == small
  }

  private func found(_ apps: [NamedApp]) -> Found {
    guard let first = apps.first else { return .none }
    return apps.count == 1 ? .one(first) : .several(apps)
  }

  /// Whether a name or a word of it begins so.
  private static func begins(_ name: [UInt8], _ part: [UInt8]) -> Bool {
    name.starts(with: part) || name.indices.contains { name[$0] == 0x20 && name[($0 + 1)...].starts(with: part) }
  }

  private func hasKey(_ text: String, _ app: NamedApp) -> Bool {
    if let key = PublicKey(npubOrHex: text) { return app.key == key || app.remoteSigner == key }
    return app.key.hex.hasPrefix(text)
  }

  private func isBeginning(_ text: String, of app: NamedApp) -> Bool {
    text.utf8.count >= Self.shortestKey && app.key.hex.hasPrefix(text.lowercased())
  }

  // MARK: texts

  /// The digits of a key in lower case and without the “…” with which a shortened key is printed. Any other text stays as it is.
  static func asTyped(_ text: String) -> String {
    let digits = keyDigits(text)
    return isKey(digits) ? digits : text
  }

  /// A text in lower case and without the “…” with which a shortened key is printed.
  static func keyDigits(_ text: String) -> String { (text.last == "…" ? String(text.dropLast()) : text).lowercased() }

  /// Whether the text can only mean a key.
  static func isKey(_ text: String) -> Bool {
    PublicKey(npubOrHex: text) != nil || text.utf8.count >= shownDigits && text.utf8.allSatisfy(Hex.isDigit)
  }

  /// Whether digits of a key were meant, perhaps of an app that is gone. Another app may call itself like them.
  private static func mayBeOfKey(_ text: String) -> Bool {
    text.utf8.count >= shortestKey && text.utf8.allSatisfy(Hex.isDigit) && text.utf8.contains { (0x30...0x39).contains($0) }
  }

  /// The bytes of a text, with ASCII's capital letters small. Other letters have too many that look alike.
  static func small(_ text: String) -> [UInt8] { text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }

  // MARK: errors

  /// - Parameter isLog: whether apps of the log were looked through, and not only those that are paired.
  func noneFound(_ text: String, isLog: Bool = false) -> OperationError {
    let meant = Self.isKey(Self.asTyped(text)) ? nil : nearest(to: text, among: apps.map(\.shownName))
    return .notFound(
      isLog ? "No app in the log has that name or key." : Operations.noPairedApp,
      hint: meant.map(OperationError.didYouMean) ?? (isLog ? Operations.namesInLog : Operations.namesOfPaired))
  }

  static func tooShort(_ text: String) -> OperationError {
    .notFound(
      "\(ShownText.quoted(text, limit: 20)) is too short for the beginning of an app's name.",
      hint: "Give at least \(shortestName) letters of the name, or \(shortestKey) digits of the key.")
  }

  /// Names those that can be meant, each with digits that tell it from the others.
  static func several(_ found: [NamedApp]) -> OperationError {
    guard let first = found.first, !found.allSatisfy({ $0.key == first.key }) else {
      return .failed(
        "\(found.count) pairings of \(found.first.map { ShownText.quoted($0.shownName, limit: 100) } ?? "one app") can be meant.",
        hint: "Give the app's “signer” from: holdfast client list --json")
    }
    let named = found.map { "\(ShownText.quoted($0.shownName, limit: 100)) (\($0.key.hex.prefix(shownDigits)))" }.sorted()
    return .failed(
      "\(found.count) apps can be meant: \(named.prefix(mostNamed).joined(separator: ", "))"
        + (found.count > mostNamed ? ", …" : "."),
      hint: "Give more of the name, or the digits behind it.")
  }
}
