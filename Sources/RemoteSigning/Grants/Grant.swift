/// What one app may do with one identity: a trust level and the owner's exceptions from it.
public struct Grant: Hashable, Sendable {
  /// The most exceptions one grant may have, allowed and denied together.
  public static let maximumExceptions = 512

  /// What holds where no exception does.
  public var trust: TrustLevel
  /// What the owner allowed by name.
  public private(set) var allowed: Set<Permission>
  /// What the owner denied by name. The more specific exception wins; of two alike, the later replaced the earlier.
  public private(set) var denied: Set<Permission>

  /// A grant with exceptions, none as a rule.
  public init(trust: TrustLevel, allowed: Set<Permission> = [], denied: Set<Permission> = []) {
    (self.trust, self.allowed, self.denied) = (trust, allowed, denied)
  }

  /// Adds an exception and takes back its opposite.
  /// - Throws: `.walletKind` for a kind that is asked each time, `.tooManyExceptions`.
  public mutating func allow(_ permission: Permission) throws(GrantError) {
    if let kind = permission.kind, GuardedKinds.wallet.contains(kind) { throw .walletKind(kind) }
    try makeRoom(for: permission)
    denied.remove(permission)
    allowed.insert(permission)
  }

  /// Adds an exception and takes back its opposite.
  /// - Throws: `.alwaysAllowed` for a method that every paired app may use, `.tooManyExceptions`.
  public mutating func deny(_ permission: Permission) throws(GrantError) {
    if permission.method.isAlwaysAllowed { throw .alwaysAllowed(permission.method) }
    try makeRoom(for: permission)
    allowed.remove(permission)
    denied.insert(permission)
  }

  private func makeRoom(for permission: Permission) throws(GrantError) {
    let count = allowed.union(denied).union([permission]).count
    guard count <= Self.maximumExceptions else { throw .tooManyExceptions(limit: Self.maximumExceptions) }
  }
}

/// Why a grant cannot be changed as asked.
public enum GrantError: Error, Equatable, Sendable {
  /// Spending is asked each time; it cannot be allowed for good.
  case walletKind(Int)
  /// Every paired app may use this method; revoke the app instead.
  case alwaysAllowed(Method)
  case tooManyExceptions(limit: Int)
}
