/// One item of NIP-46's permission list: `method` or `sign_event:<kind>`.
public struct Permission: Hashable, Sendable, CustomStringConvertible {
  /// The most items read from one list.
  public static let maximumListed = 256

  /// What is to be done.
  public let method: Method
  /// The event kind it is limited to, 0 to 65535; nil for all. Only `sign_event` has one.
  public let kind: Int?

  /// A permission for a method, for `sign_event` perhaps of one kind.
  public init(_ method: Method, kind: Int? = nil) { (self.method, self.kind) = (method, kind) }

  /// - Parameter text: `method` or `sign_event:<kind>`.
  /// - Returns: nil for an unknown method, or a parameter that is no kind.
  public init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let method = Method(rawValue: String(name)) else { return nil }
    self.method = method
    guard parts.count > 1 else {
      kind = nil
      return
    }
    guard method == .signEvent, let kind = Int(parts[1]), (0...65535).contains(kind) else { return nil }
    self.kind = kind
  }

  /// The items of a comma list that this signer knows; others are left out. At most 256.
  public static func list(_ text: String) -> [Permission] {
    text.split { $0 == "," || $0 == " " }.prefix(maximumListed).compactMap { Permission(parsing: $0) }
  }

  /// Whether a text has the shape of a permission list: some apps leave out an absent secret and put the list in its place.
  static func looksLikeList(_ text: String) -> Bool {
    let items = text.split(separator: ",")
    return !items.isEmpty && items.allSatisfy { Permission(parsing: $0) != nil }
  }

  /// As NIP-46 writes it.
  public var description: String { kind.map { "\(method.rawValue):\($0)" } ?? method.rawValue }
}
