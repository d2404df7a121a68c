public import Curve
public import Encodings
public import Nostr
import Platform

extension RequestFacts {
  /// The facts of an operation that the rules use. Facts that a kind does not need are not computed.
  /// - Parameter known: the lists with which the identity's new lists are compared.
  init(_ operation: Operation, _ method: Method, for pairing: Pairing, known: KnownLists?) {
    switch operation {
    case .identify: self.init(method: method)
    case .sign(let template):
      self.init(method: method, kind: template.kind)
      datedAt = template.createdAt
      paysOthers = template.paysOthers(than: pairing.identity)
      deletedLists = template.deletedLists(of: pairing.identity, signed: known?.signed ?? [:])
      deletesList = template.emptiesList || !deletedLists.isEmpty
      compare(template, with: known)
      switch template.kind {
      case GuardedKinds.webLogin:
        scope = template.webLogin
        isPlaceHidden = scope == nil
      case GuardedKinds.fileLogin:
        file = FileLogin(tags: template.tags)
        scope = file?.scope
        isPlaceHidden = scope == nil
      case GuardedKinds.relayLogin:
        scope = template.relayLogin
        isPlaceHidden = scope == nil
        isKnownRelay = known?.isKnown(scope, to: pairing) ?? false
      default: break
      }
    case .encrypt(_, let peer, let text):
      self.init(method: method, scope: .counterparty(peer), isSelf: peer == pairing.identity)
      isSignersEnvelope = SignerEnvelope.isOne(text)
    case .decrypt(_, let peer, _): self.init(method: method, scope: .counterparty(peer), isSelf: peer == pairing.identity)
    }
  }
}

extension RequestFacts {
  /// Computes anew what a profile or follow list would change.
  mutating func compare(_ template: EventTemplate, with known: KnownLists?) {
    switch template.kind {
    case EventKind.metadata: changesPayment = PaymentAddresses(profile: template).differ(from: known?.payment)
    case GuardedKinds.follows: follows = FollowChange(from: known?.follows, to: FollowList(tags: template.tags))
    default: break
    }
  }
}

extension Operation {
  /// Whether the rules compare it with a list of the identity's.
  var needsLists: Bool {
    [EventKind.metadata, GuardedKinds.follows, GuardedKinds.relayLogin, EventKind.deletion].contains(kind)
  }
}

extension SigningEngine {
  func lists(of pairing: Pairing) -> KnownLists { state.withLock { $0.lists(of: pairing.identity) } }

  /// The facts of a waiting request, as of now. Nil when its pairing is gone or its parameters cannot be read.
  public func facts(of request: PendingRequest) -> RequestFacts? {
    guard let pairing = state.withLock({ $0.servedKeys[request.remoteSigner]?.pairing }) else { return nil }
    return facts(of: request.method, request.parameters, for: pairing)
  }

  /// As above, for a request as an app would send it.
  public func facts(of method: Method, _ parameters: [[UInt8]], for pairing: Pairing) -> RequestFacts? {
    if method.isAlwaysAllowed { return RequestFacts(method: method) }
    guard let operation = try? Operation(method, parameters, for: pairing) else { return nil }
    return RequestFacts(operation, method, for: pairing, known: lists(of: pairing))
  }
}

extension RequestFacts {
  /// Whether a request would read what its identity encrypted to itself.
  public static func readsOwn(_ request: PendingRequest) -> Bool {
    request.method.isDecryption && request.parameters.first.flatMap { Bytes32(hex: $0) } == request.identity.bytes
  }

  /// Whether an approval is for this request alone: its zaps go to others, it deletes a profile or a list, or empties one, it logs in to several
  /// file servers, which no rule can name, or it is what every app may ask that was let in.
  /// - Parameter deletesList: whether the ids that it names are known to be of a profile or list.
  public static func isForOnce(_ request: PendingRequest, deletesList: Bool = false) -> Bool {
    if request.method.isAlwaysAllowed || deletesList { return true }
    guard request.method == .signEvent, let template = request.parameters.first.flatMap({ try? EventTemplate(parsing: $0) })
    else { return false }
    if template.paysOthers(than: request.identity) || template.emptiesList { return true }
    if !template.deletedLists(of: request.identity).isEmpty { return true }
    return template.kind == GuardedKinds.fileLogin && FileLogin(tags: template.tags).map { $0.servers.count > 1 } ?? false
  }
}

extension EventTemplate {
  /// Whether its tags make readers pay others than its author: `zap` tags (NIP-57, appendix G), also unreadable ones, and
  /// invoices in the `amount` tags of job results and feedback (NIP-90), which may be anybody's.
  public func paysOthers(than author: PublicKey) -> Bool {
    let isJob = Self.jobKinds.contains(kind)
    return tags.contains { tag in
      switch tag.first {
      case "zap": tag.count < 2 || PublicKey(hex: tag[1]) != author
      case "amount": isJob && Self.isInvoice(tag)
      default: false
      }
    }
  }

  /// The kinds of what there is one of and this deletion names (NIP-09): the author's profile and lists, by their address in an `a` tag or by
  /// their kind in a `k` tag, or by an id in an `e` tag that was signed here. What other ids stand for cannot be seen. Empty for other events.
  /// - Parameter signed: the ids of the profiles and lists that were signed last, by kind.
  public func deletedLists(of author: PublicKey, signed: [Int: Set<Bytes32>] = [:]) -> Set<Int> {
    guard kind == EventKind.deletion else { return [] }
    let kinds = tags.compactMap { tag -> Int? in
      guard tag.count > 1 else { return nil }
      switch tag[0] {
      case "e": return Bytes32(hex: tag[1]).flatMap { id in signed.first { $0.value.contains(id) }?.key }
      case "k": return Int(tag[1])
      case "a":
        let parts = tag[1].split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 1 && PublicKey(hex: String(parts[1])) == author ? Int(parts[0]) : nil
      default: return nil
      }
    }
    return Set(kinds.filter(Self.isOneOfAKind))
  }

  private static func isOneOfAKind(_ kind: Int) -> Bool {
    [.list, .profile].contains(KindTable.effect(of: kind)) || (10_000..<20_000).contains(kind)
  }

  /// Whether it is a list (NIP-51) with nothing in it, neither in tags nor encrypted. A follow list is compared with the one before instead.
  /// A web bookmark is one thing, named by its `d` tag.
  public var emptiesList: Bool {
    guard content.isEmpty, kind != EventKind.follows, kind != Self.webBookmark, KindTable.effect(of: kind) == .list else {
      return false
    }
    return tags.allSatisfy { $0.count < 2 || Self.tagsAboutLists.contains($0[0]) }
  }

  private static let webBookmark = 39701
  /// Tags that say something about a list as a whole.
  private static let tagsAboutLists: Set<String> = [
    "d", "title", "name", "summary", "description", "image", "thumb", "alt", "client", "published_at",
  ]

  /// Whether a tag names an amount together with the invoice to pay (NIP-90).
  public static func isInvoice(_ tag: [String]) -> Bool { tag.first == "amount" && tag.count > 2 }

  private static let jobKinds = 6000...7000

  /// What a login is good for, as one text: two logins with one text may be answered together. Nil for one that names no place, or
  /// several, or that deletes files or lasts long.
  /// - Parameter now: seconds since 1970.
  public func loginPlace(at now: Int64) -> String? {
    switch kind {
    case GuardedKinds.webLogin: return webLogin?.text
    case GuardedKinds.relayLogin: return relayLogin?.text
    default:
      guard let file = FileLogin(tags: tags), !file.deletes, !file.lastsLong(at: now), file.servers.count <= 1 else { return nil }
      return file.scope.text
    }
  }

  /// The value of a tag that is there exactly once. If there were two, a server might read the other one.
  private func onlyValue(_ name: String) -> String? {
    var found: String?
    for tag in tags where tag.first == name {
      guard found == nil, tag.count > 1 else { return nil }
      found = tag[1]
    }
    return found
  }

  /// The address and method of a web login (NIP-98).
  var webLogin: PermissionScope? {
    guard let url = onlyValue("u"), let method = onlyValue("method") else { return nil }
    let scope = PermissionScope.web(named: method, url)
    return scope?.isFolder == true ? nil : scope
  }

  /// The relay of a relay login (NIP-42).
  var relayLogin: PermissionScope? { onlyValue("relay").flatMap { .relay(named: $0) } }
}
