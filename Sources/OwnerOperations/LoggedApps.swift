import AuditLog
import Curve
import Encodings
import Nostr
import OwnerAPI
import RemoteSigning
import Signer

/// Finds the app that entries of the log are about. It may not be paired any more.
extension Operations {
  /// An app whose name the log does not know is found by at least so many digits of its key. The log shows as many.
  private static let fewestDigits = 8
  /// How many entries are read at a time while a key is looked for.
  private static let readAtATime = 2_000

  /// For what names no app in the log.
  static let namesInLog =
    "Give the name or its first \(AppNames.shortestName) letters, or \(fewestDigits) digits of the key, from: holdfast log show"

  /// - Parameter text: what names an app; see `AppNames`. A paired app comes before a former one.
  /// - Throws: if several apps are meant, or none.
  func loggedApp(_ text: String) throws -> PublicKey {
    if let key = PublicKey(npubOrHex: text) { return key }
    let names = home.appNames
    let all = AppNames(apps: names.map { NamedApp(key: $0.key, name: $0.value) })
    if let digits = Self.digits(AppName.digits(in: text) ?? text) {
      let found = try keys(beginningWith: digits, text, all)
      guard let key = found.first else { throw all.noneFound(text, isLog: true) }
      guard found.count == 1 else {
        throw AppNames.several(found.map { NamedApp(key: $0, name: names[$0] ?? "") })
      }
      return key
    }
    let paired = Set(home.engine.pairings.map(\.client))
    var isTooShort = false
    for isPaired in [true, false] {
      switch AppNames(apps: all.apps.filter { paired.contains($0.key) == isPaired }).find(text) {
      case .one(let app): return app.key
      case .several(let found): throw AppNames.several(found)
      case .tooShort: isTooShort = true
      case .none: break
      }
    }
    throw isTooShort ? AppNames.tooShort(text) : all.noneFound(text, isLog: true)
  }

  /// Apps may call themselves like the first digits of another one's key, so they are found beside it.
  private func keys(beginningWith digits: String, _ text: String, _ all: AppNames) throws -> Set<PublicKey> {
    var found: Set<PublicKey> =
      switch all.find(text) {
      case .one(let app): [app.key]
      case .several(let apps): Set(apps.map(\.key))
      case .none, .tooShort: []
      }
    if !AppNames.isKey(digits) || found.isEmpty { found.formUnion(try keysInLog(beginningWith: digits)) }
    return found
  }

  /// - Returns: nil for what cannot be the beginning of a key.
  private static func digits(_ text: String) -> String? {
    let digits = AppNames.keyDigits(text)
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
