import Nostr
package import RemoteSigning

/// What makes a request more than an everyday use of the key. The raw value is the machine name, stable for programs.
package enum RequestConcern: String, Sendable, CaseIterable {
  case presence, unreadable, follows
  case addedFollows = "added-follows"
  case emptied = "emptied-list"
  case ahead = "dated-ahead"
  case paysOthers = "pays-others"
  case manyServers = "several-servers"
  case payment, payee, wallet, money
  case deletion, profile
  case keptProfile = "kept-profile"
  case otherProfile = "other-profile"
  case keyHandling = "key-handling"
  case unknownKind = "unknown-kind"
  case fileDeletion = "file-deletion"
  case login, relays, list
  case appData = "app-data"
  case group, leaving, mint, collecting
  case ownMessage = "own-message"
  case message
  case publicKey = "public-key"

  /// The first that applies. Nil for an everyday use of the key.
  /// - Parameters: as those of `all`.
  package init?(_ request: PendingRequest, needsPresence: Bool, effect: ReplacementEffect? = nil) {
    guard let first = Self.all(of: request, needsPresence: needsPresence, effect: effect).first else { return nil }
    self = first
  }

  /// All that apply, the grave ones first: the owner reads the first. None for an everyday use of the key.
  /// - Parameters:
  ///   - needsPresence: whether the key is opened for one use only.
  ///   - effect: what a new profile or follow list comes to, where that is known.
  package static func all(
    of request: PendingRequest, needsPresence: Bool, effect: ReplacementEffect? = nil
  ) -> [RequestConcern] {
    let own = request.method == .signEvent ? ofSigning(request, effect) : ofMessage(request).map { [$0] } ?? []
    let all = own + (needsPresence ? [.presence] : [])
    return all.filter { $0.risk == .grave } + all.filter { $0.risk != .grave }
  }

  /// What makes any request of that kind more than an everyday use of the key, as far as it is known afterwards.
  /// - Parameter rule: the rule that decided. Logs of earlier versions have no other mark of some concerns.
  package static func afterwards(
    _ method: Method, kind: Int?, _ heading: RequestHeading?, by rule: Rule? = nil
  ) -> RequestConcern? {
    if rule == .paymentAddress { return .payee }
    if rule == .datedAhead { return .ahead }
    if rule == .zapSplit { return .paysOthers }
    return ofHeading(method, kind: kind, heading)
  }

  private static func ofHeading(_ method: Method, kind: Int?, _ heading: RequestHeading?) -> RequestConcern? {
    switch (heading, method) {
    case (.payee?, _): .payee
    case (.fileDeletion?, _): .fileDeletion
    case (.emptiedList?, _): .emptied
    case (.paysOthers?, _): .paysOthers
    case (.datedAhead?, _): .ahead
    case (.sameProfile?, _), (.sameFollows?, _): nil
    case (.addedFollows?, _): .addedFollows
    case (.keptProfile?, _): .keptProfile
    case (_, .signEvent): kind.map { $0 == EventKind.follows ? .follows : ofKind($0) } ?? .unreadable
    case (_, .getPublicKey): nil
    default: method.isDecryption ? (heading == .ofSelf ? .ownMessage : .message) : nil
    }
  }

  /// How closely to look.
  package var risk: RequestRisk {
    switch self {
    case .unreadable, .follows, .emptied, .ahead, .paysOthers, .payment, .payee, .wallet, .money, .deletion, .profile,
      .otherProfile, .keyHandling, .unknownKind, .ownMessage, .fileDeletion:
      .grave
    case .presence, .addedFollows, .keptProfile, .manyServers, .login, .relays, .list, .appData, .group, .leaving, .mint,
      .collecting, .message, .publicKey:
      .careful
    }
  }

  /// Why, in a few words that follow the mark: "costs money". They hold whether or not there is something that it would replace.
  package var words: String {
    switch self {
    case .presence: "this key asks for you"
    case .unreadable: "cannot be read"
    case .follows: "sets your whole follow list"
    case .addedFollows: "adds people you follow"
    case .emptied: "leaves a list of yours empty"
    case .ahead: "dated in the future"
    case .paysOthers: "lets others be paid"
    case .manyServers: "logs in to several servers"
    case .payment: "costs money"
    case .payee: "changes where payments to you go"
    case .wallet: "about a wallet"
    case .money: "about money"
    case .deletion, .leaving: "cannot be undone"
    case .profile: "sets your whole profile"
    case .keptProfile: "changes your profile"
    case .otherProfile: "replaces what others see"
    case .keyHandling: "speaks for your key"
    case .unknownKind: "the signer does not know this kind"
    case .fileDeletion: "lets it delete files"
    case .login: "logs in as you"
    case .relays: "changes where you are found"
    case .list: "sets a whole list of yours"
    case .appData: "changes what an app keeps"
    case .group: "changes a group"
    case .mint: "vouches for a mint"
    case .collecting: "collects money"
    case .ownMessage: "reads what you wrote to yourself"
    case .message: "reads a message"
    case .publicKey: "learns who you are"
    }
  }

  /// Unreadable events, emptied lists, events dated ahead, and follow lists and profiles that may lose something are grave. Other lists, such as
  /// mute or relay lists, are not: a mistake there is easily undone.
  private static func ofSigning(_ request: PendingRequest, _ effect: ReplacementEffect?) -> [RequestConcern] {
    guard let kind = request.kind, let template = request.parameters.first.flatMap({ try? EventTemplate(parsing: $0) }) else {
      return [.unreadable]
    }
    var concerns: [RequestConcern] = []
    if kind == EventKind.follows, effect != .nothing { concerns.append(effect == .noLoss ? .addedFollows : .follows) }
    if SigningTime.isAhead(template.createdAt, of: request.receivedAt) { concerns.append(.ahead) }
    if effect == .nothing { return concerns }
    if template.emptiesList { concerns.append(.emptied) }
    if template.paysOthers(than: request.identity) { concerns.append(.paysOthers) }
    if kind == GuardedKinds.fileLogin, RequestFacts.isForOnce(request) { concerns.append(.manyServers) }
    if kind != EventKind.follows, let own = ofContent(template) { concerns.append(own == .profile ? ofProfile(effect) : own) }
    return concerns
  }

  private static func ofProfile(_ effect: ReplacementEffect?) -> RequestConcern {
    switch effect {
    case .payments: .payee
    case .noLoss: .keptProfile
    case .nothing, nil: .profile
    }
  }

  /// What signing an event means, by its kind and, for a login to file servers, by what it allows.
  private static func ofContent(_ template: EventTemplate) -> RequestConcern? {
    guard KindTable.effect(of: template.kind) == .login else { return ofKind(template.kind) }
    // A login that does not say clearly what it is for may be taken for one that deletes.
    let deletes = template.kind == GuardedKinds.fileLogin && FileLogin(tags: template.tags)?.deletes != false
    return deletes ? .fileDeletion : .login
  }

  /// What signing an event of a kind means, whatever it says; nil for an everyday one.
  private static func ofKind(_ kind: Int) -> RequestConcern? {
    switch KindTable.effect(of: kind) {
    case .money: ofMoney(kind)
    case .destruction: .deletion
    case .profile: kind == EventKind.metadata ? .profile : .otherProfile
    case .keyHandling: .keyHandling
    case .unknown: .unknownKind
    case .login: .login
    case .list, .ordinary: KindTable.care(for: kind) == .usual ? nil : ofGuarded(kind)
    }
  }

  private static func ofMoney(_ kind: Int) -> RequestConcern {
    switch kind {
    case 9321, 21000, 23194: .payment
    case 10019, 10133: .payee
    case 7374...7376, 13194, 17375, 23195...23197, 37375: .wallet
    default: .money
    }
  }

  /// A list or a post about which medium trust asks.
  private static func ofGuarded(_ kind: Int) -> RequestConcern {
    switch kind {
    case EventKind.relayList, EventKind.messageRelays, 10013, 10051: .relays
    case _ where KindTable.effect(of: kind) == .list: .list
    case 78, EventKind.applicationData: .appData
    case 9022, 28936: .leaving
    case 9041, 6969: .collecting
    case 38000, 38172, 38173: .mint
    default: .group
    }
  }

  private static func ofMessage(_ request: PendingRequest) -> RequestConcern? {
    if request.method == .getPublicKey { return .publicKey }
    guard request.method.isDecryption else { return nil }
    return RequestFacts.readsOwn(request) ? .ownMessage : .message
  }
}
