/// For how long registrations are kept. Signers of Holdfast register each key again once a day.
enum Retention {
  /// How long a device of a key is kept after it registered last, or its push service last took a wake for it, in seconds: 400 days.
  static let age: Int64 = 400 * 86_400
  /// A wake that was taken is noted at most once in this time, in seconds: a week.
  static let renewing: Int64 = 7 * 86_400
  /// The time between two searches for what is too old, in milliseconds: an hour. Each removes a limited number, so that none takes long.
  static let searching = 3_600_000
  /// The most devices of keys whose last note is remembered. Further ones are looked up each time.
  static let mostRemembered = 100_000
}
