import Curve
import Encodings
import Nostr
import OwnerAPI
import OwnerWords
import RemoteSigning
import RequestPreview

// A waiting request for the owner, in the contract's words.

extension WaitingRequest {
  /// - Parameters:
  ///   - presence: the credential that an approval needs; nil for none.
  ///   - names: what people call themselves.
  init(_ description: RequestDescription, presence: PresenceProof?, names: (PublicKey) -> PersonName?) {
    self.init()
    let (request, remembering) = (description.request, description.remembering)
    (id, event, client) = (request.name, request.eventID.hex, RequestingApp(description))
    (identity.name, identity.npub, identity.pubkey) = (description.identityName, request.identity.npub, request.identity.hex)
    (method, kind, kindName) = (RequestMethod(request.method), request.kind.map { Int64($0) }, description.kindName)
    (title, summary) = (description.title, description.summary)
    let concerns = RequestConcern.all(of: request, needsPresence: presence != nil, effect: description.replacementEffect)
    (risk, riskReason) = (Risk(concerns.first?.risk ?? .usual), concerns.first?.words)
    self.concerns = concerns.compactMap { Concern(rawValue: $0.rawValue) }
    (rule, reason, self.presence) = (request.rule.name, request.rule.reason, presence)
    (received, expires) = (request.receivedAt, request.receivedAt + PendingRequest.lifetime)
    repeats = Int64(max(0, request.replies.count - 1))
    (batch, batchTitle) = (description.batch, description.batchTitle)
    parts = description.parts.map { RequestPart($0, names) }
    offers = remembering.offers.map { OwnerAPI.Duration($0) }
    (remember.permission, remember.label) = (remembering.permission.description, remembering.label)
  }

  /// Takes out what the request says. Who asks, as whom, and for what kind of thing, stays: "Log in to a website", without which one.
  fileprivate mutating func hide() {
    (isHidden, summary, parts, concerns) = (true, "", [], Array(concerns.prefix(1)))
    title = RequestTitle.withoutPlace(title)
    // Whom a message is from, or where a login goes, is part of what it says.
    remember.permission = String(remember.permission.prefix { $0 != "@" })
    remember.label = Permission(parsing: remember.permission).map { PermissionWords($0, of: nil).label } ?? ""
    batch = batch.map(Self.opaque)
  }

  /// The same for the same text as long as this process runs, and nothing from which the text can be learned.
  private static func opaque(_ text: String) -> String {
    var hasher = Hasher()
    hasher.combine(text)
    return String(UInt(bitPattern: hasher.finalize()), radix: 16)
  }

  /// The request, without what it says while the signer is locked.
  /// - Parameter isKeyAway: whether its key is locked, too.
  func hidden(if isLocked: Bool, isKeyAway: Bool) -> WaitingRequest {
    var request = self
    if isLocked { request.hide() }
    request.needsUnlock = isKeyAway ? true : nil
    return request
  }
}

extension Risk {
  init(_ risk: RequestRisk) {
    self =
      switch risk {
      case .usual: .usual
      case .careful: .careful
      case .grave: .grave
      }
  }
}

extension WaitingRequestDetail {
  /// - Parameters: as those of `WaitingRequest`.
  init(_ description: RequestDescription, presence: PresenceProof?, names: (PublicKey) -> PersonName?) {
    self.init()
    request = WaitingRequest(description, presence: presence, names: names)
    (raw, isRawTruncated) = description.raw
  }

  /// The request, without what it says while the signer is locked.
  func hidden(if isLocked: Bool, isKeyAway: Bool) -> WaitingRequestDetail {
    var detail = self
    detail.request = request.hidden(if: isLocked, isKeyAway: isKeyAway)
    guard isLocked else { return detail }
    (detail.raw, detail.isRawTruncated) = ("", false)
    return detail
  }
}

extension RequestingApp {
  fileprivate init(_ description: RequestDescription) {
    self.init()
    (pubkey, signer) = (description.request.client.hex, description.request.remoteSigner.hex)
    (name, url, place) = (description.clientName, description.clientAddress, description.clientPlace)
  }
}

extension RequestPart {
  fileprivate init(_ part: DescriptionPart, _ names: (PublicKey) -> PersonName?) {
    self.init()
    switch part {
    case .text(let label, let text, let isCut):
      (type, self.label, self.text, isTruncated) = (.text, label, text, isCut)
    case .peer(let label, let key, let isSelf):
      (type, self.label, npub, pubkey, self.isSelf) = (.peer, label, key.npub, key.hex, isSelf)
      (name, isNameShared) = (names(key)?.text, names(key)?.isShared)
    case .url(let label, let url, let host, let method):
      (type, self.label, self.url, self.host, self.method) = (.url, label, url, host, method)
    case .relay(let label, let url): (type, self.label, self.url) = (.relay, label, url)
    case .reference(let label, let id): (type, self.label, self.id) = (.reference, label, id)
    case .date(let label, let time): (type, self.label, self.time) = (.date, label, time)
    case .fact(let label, let value): (type, self.label, self.value) = (.fact, label, value)
    case .warning(let text, let about):
      (type, self.text, self.about) = (.warning, text, about.flatMap { OwnerAPI.WarningSubject(rawValue: $0.rawValue) })
    case .listChange(let label, let change): self.init(label, change, names)
    case .fieldChange(let label, let changes, let hasBaseline):
      (type, self.label, self.hasBaseline) = (.fieldChange, label, hasBaseline)
      self.changes = changes.map(FieldChange.init)
    }
  }

  private init(_ label: String, _ change: ListChange, _ names: (PublicKey) -> PersonName?) {
    self.init(.listChange)
    (self.label, hasBaseline) = (label, change.hasBaseline)
    added = change.shownAdded.map { ListEntry($0, names) }
    removed = change.shownRemoved.map { ListEntry($0, names) }
    (addedCount, removedCount, kept) = (Int64(change.added.count), Int64(change.removed.count), Int64(change.kept))
  }
}

extension ListEntry {
  fileprivate init(_ entry: ListChange.Entry, _ names: (PublicKey) -> PersonName?) {
    self.init()
    switch entry {
    case .person(let key):
      (text, npub, pubkey) = (key.npub, key.npub, key.hex)
      (name, isNameShared) = (names(key)?.text, names(key)?.isShared)
    case .other(let text): self.text = text
    }
  }
}

extension FieldChange {
  fileprivate init(_ change: DescriptionPart.FieldChange) {
    self.init()
    (name, before, after, warning) = (change.name, change.before, change.after, change.warning)
  }
}
