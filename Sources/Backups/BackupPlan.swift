package import JSON
package import ObjectStorage

/// Where automatic backups go, how often they are made, and what became of the last ones. One record of the vault.
package struct BackupPlan: Sendable, Equatable {
  /// The shortest and the longest time between two backups, in seconds.
  package static let shortestPeriod: Int64 = 15 * 60
  package static let longestPeriod: Int64 = 366 * 86_400
  package static let mostKept: Int64 = 1000
  package static let usualKeep: Int64 = 10
  package static let usualPeriod: Int64 = 86_400

  package let place: PlaceText
  /// Seconds from one backup to the next.
  package let every: Int64
  /// How many backups are kept at the place.
  package let keep: Int64
  /// When it was set, in seconds since 1970 like the other times here.
  package let made: Int64
  package var lastAttempt: Int64?
  package var lastDone: Int64?
  /// The file of the last backup.
  package var lastName: String?
  /// Failures since the last backup.
  package var failures: Int64 = 0
  package var lastError: String?
  /// How many revocations the list at the place has. Nil before the list was stored there.
  package var revocationsSent: Int64?
  /// Why the list could not be stored there the last time.
  package var revocationsError: String?

  /// The plan as it is shown and stored.
  package var json: JSONValue {
    func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return .object([
      .init("to", .string(place.to)), .init("endpoint", text(place.endpoint)), .init("region", text(place.region)),
      .init("ca", text(place.certificates)), .init("every", .string(Period.text(every))), .init("keep", .integer(keep)),
      .init("made", .integer(made)), .init("last_attempt", number(lastAttempt)), .init("last", number(lastDone)),
      .init("name", text(lastName)), .init("failures", .integer(failures)), .init("last_error", text(lastError)),
      .init("revocations", number(revocationsSent)), .init("revocations_error", text(revocationsError)),
    ])
  }

  package init(place: PlaceText, every: Int64, keep: Int64, made: Int64) {
    (self.place, self.every, self.keep, self.made) = (place, every, keep, made)
  }

  /// Takes over the results of the last backups, if only the period or the number of kept backups was changed.
  package mutating func goOn(from other: BackupPlan) {
    (lastAttempt, lastDone, lastName) = (other.lastAttempt, other.lastDone, other.lastName)
    (failures, lastError) = (other.failures, other.lastError)
    (revocationsSent, revocationsError) = (other.revocationsSent, other.revocationsError)
  }

  /// - Returns: nil for bytes that `json` did not write.
  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let to = value["to"]?.string,
      let every = value["every"]?.string.flatMap(Period.seconds), let keep = value["keep"]?.integer,
      let made = value["made"]?.integer
    else { return nil }
    let place = PlaceText(
      to: to, endpoint: value["endpoint"]?.string, region: value["region"]?.string, certificates: value["ca"]?.string)
    self.init(place: place, every: every, keep: keep, made: made)
    (lastAttempt, lastDone) = (value["last_attempt"]?.integer, value["last"]?.integer)
    (lastName, lastError) = (value["name"]?.string, value["last_error"]?.string)
    (revocationsSent, revocationsError) = (value["revocations"]?.integer, value["revocations_error"]?.string)
    failures = max(0, value["failures"]?.integer ?? 0)
  }
}

/// A place in the words in which its owner wrote it.
package struct PlaceText: Sendable, Equatable {
  package let to: String
  package var endpoint: String?
  package var region: String?
  /// A file of certificates (PEM) to trust instead of the system's.
  package var certificates: String?

  package init(to: String, endpoint: String? = nil, region: String? = nil, certificates: String? = nil) {
    (self.to, self.endpoint, self.region, self.certificates) = (to, endpoint, region, certificates)
  }

  /// Whether both mean the same files.
  package func isSamePlace(as other: PlaceText) -> Bool {
    (try? place()).map { here in (try? other.place()) == here } ?? false
  }

  /// The parsed place.
  package func place() throws(PlaceError) -> BackupPlace { try BackupPlace(parsing: to, endpoint: endpoint, region: region) }
}

/// Times as 90m, 12h, 1d or 2w.
package enum Period {
  private static let units: [(letter: Character, seconds: Int64)] = [("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60)]

  package static func seconds(_ text: String) -> Int64? {
    guard let last = text.last, let unit = units.first(where: { $0.letter == last })?.seconds else { return nil }
    guard text.utf8.count <= 7, let number = Int64(text.dropLast()), number > 0 else { return nil }
    return number * unit
  }

  /// The shortest text with the same meaning.
  package static func text(_ seconds: Int64) -> String {
    let unit = units.first { seconds >= $0.seconds && seconds % $0.seconds == 0 } ?? ("m", 60)
    return "\(seconds / unit.seconds)\(unit.letter)"
  }
}
