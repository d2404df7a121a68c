/// The decision of the rules about a request.
public struct Decision: Hashable, Sendable {
  /// The three answers there are.
  public enum Verdict: String, Sendable, CaseIterable { case allow, ask, deny }

  /// The answer.
  public let verdict: Verdict
  /// The rule that gave it.
  public let rule: Rule

  /// An answer with its rule.
  public init(_ verdict: Verdict, by rule: Rule) { (self.verdict, self.rule) = (verdict, rule) }
}
