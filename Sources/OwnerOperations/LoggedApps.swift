import AuditLog
import Curve
import Encodings
import Nostr
import OwnerAPI
import RemoteSigning
import Signer

/// Finds the app that entries of the log are about. It may not be paired any more.
extension Operations {
  /// An app that is no longer paired is found by at least so many digits of its key. The log shows as many.
  private static let fewestDigits = 8
  /// A paired app is found by at least so many digits, as in every command about an app.
  private static let fewestOfPaired = 4
  /// How many entries are read at a time while a key is looked for.
  private static let readAtATime = 2_000

  /// - Parameter text: a name as the log shows it, a public key (hex or npub), or the first digits of one.
  /// - Throws: if several apps are meant, or none.
  func loggedApp(_ text: String) throws -> PublicKey {
    if let key = PublicKey(npubOrHex: text) { return key }
    let digits = Self.digits(AppName.digits(in: text) ?? text)
    let meansKey = digits.map(Self.isKey) ?? false
    var found = meansKey ? [] : named(text)
    if let digits {
      found.formUnion(home.appNames.keys.filter { $0.hex.hasPrefix(digits) })
      // An app may call itself like the first digits of another one's key.
      if !meansKey || found.isEmpty { found.formUnion(try keysInLog(beginningWith: digits)) }
    }
    guard let key = found.first else {
      throw OperationError.notFound(
        "No app in the log has that name or key.",
        hint: nearest(to: text, among: Array(home.appNames.values)).map(OperationError.didYouMean)
          ?? "Give the name, or at least \(Self.fewestDigits) digits of the key, from: holdfast log show")
    }
    guard found.count == 1 else {
      throw OperationError.failed(
        "\(found.count) apps in the log have that name, or a key that begins with these digits.",
        hint:
          "Give more digits of the key: \(found.map { String($0.hex.prefix(Self.shownDigits)) }.sorted().joined(separator: ", "))"
      )
    }
    return key
  }

  /// The keys of the apps of that name. A paired app comes before a former one, and is also named by fewer digits, as everywhere.
  private func named(_ text: String) -> Set<PublicKey> {
    let paired = home.engine.pairings
    let same = Set(paired.filter { $0.name == text }.map(\.client))
    guard same.isEmpty else { return same }
    let isShort = text.utf8.count >= Self.fewestOfPaired && text.utf8.count < Self.fewestDigits
    let beginning = isShort ? Set(paired.map(\.client).filter { $0.hex.hasPrefix(text.lowercased()) }) : []
    return beginning.isEmpty ? Set(home.appNames.filter { $0.value == text }.keys) : beginning
  }

  /// - Returns: nil for what cannot be the beginning of a key.
  private static func digits(_ text: String) -> String? {
    let digits = keyDigits(text)
    return digits.utf8.count >= fewestDigits && digits.utf8.allSatisfy(Hex.isDigit) ? digits : nil
  }

  /// Reads the whole log, because the key of an app whose name was never recorded stands nowhere else.
  private func keysInLog(beginningWith digits: String) throws -> Set<PublicKey> {
    var (found, from): (Set<PublicKey>, UInt64) = ([], 1)
    while true {
      let records = try home.log.read(from: from, limit: Self.readAtATime, matching: AuditFilter())
      for record in records { if let key = record.entry.client, key.hex.hasPrefix(digits) { found.insert(key) } }
      guard records.count == Self.readAtATime, let last = records.last else { return found }
      from = last.sequence + 1
    }
  }
}
