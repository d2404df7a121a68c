/// What one check of `holdfast doctor` found.
package struct Finding: Sendable, Hashable {
  /// How it is.
  package enum Verdict: Sendable { case good, warning, bad }

  /// The name of the check, for programs: `file-permissions`.
  package let check: String
  /// How it is.
  package let verdict: Verdict
  /// What was found, in one line.
  package let found: String
  /// What to do about it. Nil if nothing is to be done.
  package let advice: String?

  /// A finding.
  package init(_ check: String, _ verdict: Verdict, _ found: String, advice: String? = nil) {
    (self.check, self.verdict, self.found, self.advice) = (check, verdict, found, advice)
  }

  static func good(_ check: String, _ found: String) -> Finding { Finding(check, .good, found) }
  static func warning(_ check: String, _ found: String, advice: String) -> Finding {
    Finding(check, .warning, found, advice: advice)
  }
  static func bad(_ check: String, _ found: String, advice: String) -> Finding { Finding(check, .bad, found, advice: advice) }
}
