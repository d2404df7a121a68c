/// What a request would do, as far as the rules look at it.
public struct RequestFacts: Hashable, Sendable {
  /// What is asked.
  public let method: Method
  /// The kind of the event to sign, 0 to 65535. Nil for other methods.
  public let kind: Int?

  /// The facts of one request.
  public init(method: Method, kind: Int? = nil) { (self.method, self.kind) = (method, kind) }
}

/// What the rules say to a request.
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

/// The rules, in the order they are tried. The raw value is what people read, everywhere in the same words.
public enum Rule: String, Sendable, CaseIterable {
  case alwaysAllowed = "every paired app may ask this"
  case ownerDenied = "you denied this"
  case walletKind = "spending is asked each time"
  case ownerAllowed = "you allowed this"
  case fullTrust = "full trust"
  case lowTrust = "low trust asks everything"
  case protectedKind = "protected kind under medium trust"
  case mediumTrust = "medium trust"
  case ownerApproved = "you approved this request"
  case ownerRefused = "you refused this request"
  case locked = "the signer is locked"
  case queueFull = "too many requests are waiting for you"
}

/// The rules themselves: a pure function.
public enum Policy {
  /// - Returns: the first rule that applies, with its answer.
  public static func decision(for request: RequestFacts, under grant: Grant) -> Decision {
    if request.method.isAlwaysAllowed { return Decision(.allow, by: .alwaysAllowed) }
    let exact = Permission(request.method, kind: request.kind)
    let broad = Permission(request.method)
    if grant.denied.contains(exact) { return Decision(.deny, by: .ownerDenied) }
    if let kind = request.kind, GuardedKinds.wallet.contains(kind) {
      return grant.denied.contains(broad) ? Decision(.deny, by: .ownerDenied) : Decision(.ask, by: .walletKind)
    }
    if grant.allowed.contains(exact) { return Decision(.allow, by: .ownerAllowed) }
    if grant.denied.contains(broad) { return Decision(.deny, by: .ownerDenied) }
    return byTrust(request, grant, isAllowedBroadly: grant.allowed.contains(broad))
  }

  // A broad "sign_event" does not reach the protected kinds: those are allowed one by one.
  private static func byTrust(_ request: RequestFacts, _ grant: Grant, isAllowedBroadly: Bool) -> Decision {
    let isProtected = request.kind.map(GuardedKinds.protected.contains) ?? false
    if grant.trust == .full { return Decision(.allow, by: .fullTrust) }
    if isAllowedBroadly && !isProtected { return Decision(.allow, by: .ownerAllowed) }
    if grant.trust == .low { return Decision(.ask, by: .lowTrust) }
    return isProtected ? Decision(.ask, by: .protectedKind) : Decision(.allow, by: .mediumTrust)
  }
}
