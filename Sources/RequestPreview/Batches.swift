import Curve
import Nostr
package import RemoteSigning

/// The waiting requests that can be answered together: requests of one app, one method and one kind, and logins to one place.
///
/// Grave requests (`RequestRisk`) are answered one by one: payments, deletions, changes of the key itself, profiles, follow lists and
/// unknown kinds. So are uses of keys that ask for their owner each time, events that replace something others rely on, and
/// whatever a program asks for that is not let in yet.
package struct Batches {
  private var keys: [String: String] = [:]
  private var members: [String: [PendingRequest]] = [:]

  /// Groups all waiting requests, once.
  /// - Parameter needsPresence: whether a request's key is opened for one use only.
  package init(_ queue: [PendingRequest], needsPresence: (PendingRequest) -> Bool = { _ in false }) {
    for request in queue {
      guard !needsPresence(request), RequestRisk(request) != .grave, let key = Self.newKey(of: request) else { continue }
      keys[request.name] = key
      members[key, default: []].append(request)
    }
  }

  /// Equal for requests that can be answered together. Nil for a request that must be answered alone, and not by a button that
  /// shows only its heading.
  package func key(of request: PendingRequest) -> String? { keys[request.name] }

  /// "12 likes", "1 note".
  func title(of request: PendingRequest) -> String {
    let alike = key(of: request).flatMap { members[$0] } ?? [request]
    let isLikes = request.kind == 7 && alike.allSatisfy(Self.isLike)
    let name = isLikes ? "like" : request.kind.map { KindName($0).name } ?? (Remembering.plural(request).dropLast().description)
    if alike.count <= 1 { return "1 \(name)" }
    return "\(alike.count) \(isLikes ? "likes" : Remembering.plural(request))"
  }

  private static func newKey(of request: PendingRequest) -> String? {
    let start = "\(request.remoteSigner.hex.prefix(16))-\(request.method.rawValue)"
    if request.rule == .firstUse { return nil }
    guard request.method == .signEvent else { return RequestFacts.readsOwn(request) ? nil : start }
    guard let kind = request.kind, [.usual, .byPlace].contains(KindTable.care(for: kind)),
      let template = request.parameters.first.flatMap({ try? EventTemplate(parsing: $0) }),
      !SigningTime.isAhead(template.createdAt, of: request.receivedAt), !template.paysOthers(than: request.identity)
    else { return nil }
    guard KindTable.effect(of: kind) == .login else { return "\(start)-\(kind)" }
    guard let place = template.loginPlace(at: request.receivedAt) else { return nil }
    return "\(start)-\(kind)-\(place)"
  }

  /// The longest reaction that is checked for being a plain like, in bytes.
  private static let longestReaction = 4096

  private static func isLike(_ request: PendingRequest) -> Bool {
    guard let text = request.parameters.first, text.count <= longestReaction, let template = try? EventTemplate(parsing: text)
    else { return false }
    return template.content.isEmpty || template.content == "+"
  }
}
