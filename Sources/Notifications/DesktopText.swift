import Curve
import Desktop
import Identities
import JSON
import RemoteSigning
import RequestPreview
import Signer
import Vault

/// The text of a notice on the desktop. It is short and does not contain what the app wrote, because notices are shown over the
/// lock screen and kept.
struct DesktopText {
  static let approve = "approve"
  static let deny = "deny"
  /// Requests that are shown one by one; above it they are counted.
  static let mostSingle = 3
  static let mostIncidents = 3
  static let mostShares = 3
  private static let longestQuestion = 160

  let engine: SigningEngine
  let identities: Identities
  let sessionLock: SessionLock
  /// Whether buttons answer.
  let takesAnswers: Bool
  /// The last event of a kind that an identity signed here: what a request would replace.
  var latest: LatestEvent = { _, _ in nil }

  /// Everything that waits.
  var notices: [DesktopNotice] {
    let queue = engine.notifiedRequests
    guard queue.count <= Self.mostSingle else { return [summary(queue)] }
    let batches = Batches(queue)
    return queue.map { notice($0, batches) }
  }

  private func notice(_ request: PendingRequest, _ batches: Batches) -> DesktopNotice {
    let pairing = engine.pairings.first { $0.remoteSigner == request.remoteSigner }
    let identity = identities.all.first { $0.publicKey == request.identity }?.name ?? ""
    let account = RequestDescription(
      request,
      .init(
        pairing: pairing, identityName: identity, facts: engine.facts(of: request),
        before: request.kind.flatMap { latest($0, request.identity) }, batches: batches))
    // An approval that wants a passphrase or a passkey is given where one can be.
    let mayAnswer =
      takesAnswers && batches.key(of: request) != nil && sessionLock.protection(of: request.identity).presence == nil
      && !engine.isKeyAway(request.identity)
    let answers = mayAnswer ? [DesktopNotice.Action(Self.approve, "Approve"), .init(Self.deny, "Deny")] : []
    let name = Self.name(pairing, orKey: request.client.hex)
    let title = sessionLock.isLocked ? RequestTitle.withoutPlace(account.title) : account.title
    return DesktopNotice(
      key: request.name, title: "\(name): \(Self.short(title))",
      body: account.noticeCause + (mayAnswer ? "" : " See it in the console."),
      actions: answers + [Self.open])
  }

  private func summary(_ queue: [PendingRequest]) -> DesktopNotice {
    let apps = Set(queue.map(\.remoteSigner)).count
    return DesktopNotice(
      key: "summary", title: "\(queue.count) requests wait for you",
      body: "From \(apps) app\(apps == 1 ? "" : "s"). See them in the console.", actions: [Self.open])
  }

  /// PAM asks the person for something before a slot is used: "Place your finger on the reader".
  func question(_ asked: String) -> DesktopNotice {
    DesktopNotice(
      key: "pam-check", title: "Prove that it is you", body: ShownText.clean(asked, limit: Self.longestQuestion),
      actions: [Self.open])
  }

  /// Something is wrong.
  func notice(_ incident: Incident) -> DesktopNotice {
    DesktopNotice(
      key: "incident-\(incident.time)", title: incident.isOwners ? "Holdfast is locked down" : "Holdfast has locked itself",
      body: incident.text, actions: [Self.open], isCritical: !incident.isOwners)
  }

  /// The requests for shares to show after one more came: the newest that a guardian allowed, and the newest others.
  static func newest(_ shown: [ShareAsked], with asked: ShareAsked) -> [ShareAsked] {
    let all = shown.filter { $0 != asked } + [asked]
    return all.filter(\.isAllowed).suffix(mostShares) + all.filter { !$0.isAllowed }.suffix(mostShares)
  }

  /// Somebody asks for a share of a recovery kit.
  func notice(_ asked: ShareAsked) -> DesktopNotice {
    let title =
      asked.isKeptHere
      ? "Somebody asks for a share that you keep"
      : asked.isAllowed ? "A guardian agreed to give somebody your share" : "Somebody asks a guardian for your share"
    let advice = asked.isKeptHere ? "Call the owner before you agree." : "If it is not you, stop it in the console."
    return DesktopNotice(
      key: "share-\(asked.name)-\(asked.isAllowed)", title: title, body: advice, actions: [Self.open],
      isCritical: !asked.isKeptHere)
  }

  /// The console's page about a notice, as the end of its address.
  /// - Parameter key: the notice's.
  static func page(of key: String) -> String {
    if key.hasPrefix("share-") { return "#/recovery" }
    return key.hasPrefix("incident-") ? "#/security" : "#/approvals"
  }

  private static let open = DesktopNotice.Action("default", "Open console")

  private static func short(_ text: String) -> String { RequestDescription.short(text) }

  /// The end of a host says who owns the site, so a long one is cut at its beginning.
  private static func name(_ pairing: Pairing?, orKey key: String) -> String {
    guard let pairing, !pairing.name.isEmpty else { return String(key.prefix(8)) }
    let isHost = pairing.caller.map { $0.program == nil } ?? false
    return isHost ? CallerName.ending(pairing.name, limit: RequestDescription.longestNoticeName) : short(pairing.name)
  }
}
