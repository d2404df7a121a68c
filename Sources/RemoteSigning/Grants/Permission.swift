public import Curve
import Nostr

/// One item of NIP-46's permission list: `method` or `sign_event:<kind>`; in the owner's rules perhaps with a scope behind `@`.
public struct Permission: Hashable, Sendable, CustomStringConvertible {
  /// The most items read from one list.
  public static let maximumListed = 256

  /// What is to be done.
  public let method: Method
  /// The event kind it is limited to, 0 to 65535; nil for all. Only `sign_event` has one.
  public let kind: Int?
  /// What it is limited to besides: one counterparty, relay or address. Nil for all.
  public let scope: PermissionScope?

  /// A permission for a method, for `sign_event` perhaps of one kind.
  public init(_ method: Method, kind: Int? = nil, scope: PermissionScope? = nil) {
    (self.method, self.kind, self.scope) = (method, kind, scope)
  }

  /// - Parameter text: `method`, `sign_event:<kind>`, or one of these with a scope: `nip44_decrypt@<person>` (`npub1…`, `nprofile1…`
  ///   or 64 hex digits), `sign_event:22242@wss://relay`, `sign_event:27235@GET https://host/path`, `sign_event:24242@upload host`.
  /// - Returns: nil for an unknown method, a parameter that is no kind, or a scope that does not belong there.
  public init?(parsing text: some StringProtocol) {
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let head = halves.first else { return nil }
    let parts = head.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let method = Method(rawValue: String(name)) else { return nil }
    var kind: Int?
    if parts.count > 1 {
      guard method == .signEvent, let number = Int(parts[1]), (0...65535).contains(number) else { return nil }
      kind = number
    }
    var scope: PermissionScope?
    if halves.count > 1 {
      guard let found = PermissionScope(Substring(halves[1]), for: method, kind: kind) else { return nil }
      scope = found
    }
    self.init(method, kind: kind, scope: scope)
  }

  /// The items of a comma list that this signer knows; others are left out, and those with a scope, which no app may name. At most
  /// 256.
  public static func list(_ text: String) -> [Permission] {
    text.split { $0 == "," || $0 == " " }.prefix(maximumListed).compactMap { Permission(parsing: $0) }.filter { $0.scope == nil }
  }

  /// As NIP-46 writes it, with the scope behind `@`.
  public var description: String {
    let head = kind.map { "\(method.rawValue):\($0)" } ?? method.rawValue
    return scope.map { "\(head)@\($0.text)" } ?? head
  }

  /// Whether this permission applies to such a request.
  func reaches(_ request: RequestFacts) -> Bool {
    method == request.method && (kind == nil || kind == request.kind) && (scope?.covers(request.scope) ?? true)
  }

  /// The narrower a permission, the higher: scope before kind before method.
  var weight: Int { (kind == nil ? 0 : 1) + (scope.map { 1 + $0.weight } ?? 0) }

  /// The longest time for which this permission may be allowed.
  /// - Parameter identity: whose key would be used: what it encrypted to itself may be money.
  public func longestAllowance(of identity: PublicKey?) -> Remembered {
    guard let kind else { return isSelfDecryption(of: identity) ? .day : .always }
    switch KindTable.care(for: kind) {
    case .eachTime: return .once
    case .dayAtMost: return .day
    case .byPlace where kind == GuardedKinds.relayLogin: return .always
    case .byPlace:
      if case .file(let verb, _) = scope, verb == "delete" { return .day }
      return .week
    case .guarded, .usual: return .always
    }
  }

  /// Whether it is about reading what an identity encrypted to itself, and nothing else.
  public func isSelfDecryption(of identity: PublicKey?) -> Bool {
    guard method.isDecryption, case .counterparty(let key) = scope else { return false }
    return key == identity
  }

  /// Whether an allowance needs a scope: a login is granted for one place.
  public var needsScope: Bool { scope == nil && kind.map { KindTable.care(for: $0) == .byPlace } ?? false }
}
