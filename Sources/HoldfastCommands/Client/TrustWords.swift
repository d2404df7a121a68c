import OwnerAPI

/// What a level of trust means, in one sentence about an app.
enum TrustWords {
  static func meaning(_ trust: Trust) -> String {
    switch trust {
    case .full: "it asks you only what every app must ask, and reads private messages without asking"
    case .medium:
      """
      it posts and reads private messages without asking. It asks you before it changes your profile, follows, relays or app settings, \
      deletes, logs in to places you do not use, or spends
      """
    case .low: "it asks you about everything"
    }
  }

  /// What is asked at a terminal before an app gets full trust.
  /// - Parameter app: the subject of the sentence.
  static func fullQuestion(_ app: String) -> String {
    """
    With full trust, \(app) asks you only what every app must ask. It reads private messages, changes your profile and deletes posts without \
    asking.
    """
  }
}
