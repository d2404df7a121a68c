import Encodings
import Nostr
import Platform
import RemoteSigning
import RequestPreview
import Signer

/// One event that gets a line while the signer runs. The type has no room for a secret, a plaintext, or a text that was not
/// cleaned.
struct Notice: Sendable, Equatable {
  /// The numbers of syslog.
  enum Priority: Int, Sendable { case critical = 2, error = 3, warning = 4, notice = 5, info = 6 }

  /// A field of the journal. Its name has upper-case letters, digits and `_`.
  struct Field: Sendable, Equatable {
    let name: StaticName
    let value: String
  }

  /// The names of all fields.
  enum StaticName: String, Sendable {
    case request = "HOLDFAST_REQUEST"
    case method = "HOLDFAST_METHOD"
    case kind = "HOLDFAST_KIND"
    case relay = "HOLDFAST_RELAY"
    case problem = "HOLDFAST_PROBLEM"
    case version = "HOLDFAST_VERSION"
    case count = "HOLDFAST_COUNT"
  }

  /// The event's name for programs: `request-waits`.
  let event: StaticEvent
  let priority: Priority
  /// For the journal and for files: it names no app and no person, because those who read the system's journal are not the owner.
  let message: String
  /// For the owner's terminal: may name the app. It may have several lines, and its commands need no `--home`: the screen that `holdfast up`
  /// begins with says how other terminals find this home.
  let ownersMessage: String
  let fields: [Field]

  /// All events.
  enum StaticEvent: String, Sendable {
    case started, stopped
    case appPaired = "app-paired"
    case appLeft = "app-left"
    case requestWaits = "request-waits"
    case requestEnded = "request-ended"
    case moreRequests = "more-requests"
    case requestsRefused = "requests-refused"
    case relayLost = "relay-lost"
    case relayBack = "relay-back"
    case linkRefused = "link-refused"
    case shareAsked = "share-asked"
    case locked, unlocked, incident, problem
    case problemOver = "problem-over"
    case leftOut = "left-out"
  }

  private init(
    _ event: StaticEvent, _ priority: Priority, _ message: String, owner: String? = nil, _ fields: [(StaticName, String)] = []
  ) {
    (self.event, self.priority, self.message) = (event, priority, message)
    ownersMessage = owner ?? message
    self.fields = fields.map { Field(name: $0.0, value: $0.1) }
  }
}

extension Notice {
  /// The longest name of an app that is shown, in bytes.
  private static let longestName = 60

  /// The longest of other texts.
  private static let longestText = 300

  private static func shown(_ name: String) -> String { ShownText.quoted(name, limit: longestName) }

  static let started = Notice(.started, .notice, "Holdfast \(Version.text) is running.", [(.version, Version.text)])
  static let stopped = Notice(.stopped, .notice, "Holdfast has stopped.")
  static let locked = Notice(
    .locked, .notice, "The signer is locked.",
    owner: "The signer is locked: requests that need a key wait. To unlock it: holdfast unlock")
  static let lockedDown = Notice(
    .locked, .critical, "The signer is locked down: no app is served.",
    owner: "The signer is locked down: no app is served. To end that: holdfast resume")
  static let trialLockedDown = Notice(
    .locked, .critical, "This trial is locked down: no app is served, and it cannot go on.",
    owner:
      "This trial is locked down: no app is served, and it cannot go on. Ctrl-C ends it. To start another: holdfast up --trial"
  )
  static let unlockedInLockdown = Notice(
    .unlocked, .warning, "The signer is unlocked, but still locked down: every use of a key asks the owner.",
    owner: "The signer is unlocked, but still locked down: every use of a key asks you. To end that: holdfast resume")
  static let lockdownEnded = Notice(.unlocked, .notice, "The lockdown has ended.")
  static let unlocked = Notice(.unlocked, .notice, "The signer is unlocked.")
  static let linkRefused = Notice(
    .linkRefused, .notice, "Somebody tried a link that an app has used already. Each app needs a link of its own: holdfast pair")

  static func paired(app name: String) -> Notice {
    Notice(.appPaired, .notice, "An app has paired.", owner: "\(shown(name)) has paired.")
  }

  /// A program or site that nobody has let in yet: it is known, but not paired.
  static func met(_ caller: LocalCaller) -> Notice {
    let place = ShownText.inSentence(caller.place, limit: longestText)
    return switch caller {
    case .program:
      Notice(
        .appPaired, .notice, "A program on this machine asks for the first time.",
        owner: "A program on this machine asks for the first time: \(place).")
    case .site: Notice(.appPaired, .notice, "A site asks for the first time.", owner: "A site asks for the first time: \(place).")
    case .link:
      Notice(
        .appPaired, .notice, "A link asks for the first time.",
        owner: "A link asks for the first time; the answer would go to \(place).")
    }
  }

  static func left(app name: String) -> Notice {
    Notice(.appLeft, .notice, "A pairing has ended.", owner: "The pairing with \(shown(name)) has ended.")
  }

  /// - Parameter home: the vault's folder, if the owner's commands have to name it.
  /// - Parameter title: as `title(of:before:)` made it; nil to make it here.
  static func waits(_ request: PendingRequest, title given: String? = nil, app name: String, home: String? = nil) -> Notice {
    let title = given ?? title(of: request)
    if request.rule == .locked { return waitsForUnlocking(request, title: title, app: name, home: home) }
    let command = command("request", home)
    let answer = "Answer: \(command) approve \(request.name), or: \(command) deny \(request.name)"
    let id = request.name.prefix(digitsForTyping)
    return Notice(
      .requestWaits, .notice, "A request waits for you: \(wish(request)). \(answer)",
      owner: "\(shown(name)) asks you: \(title)\n"
        + "  holdfast request approve \(id)\n  holdfast request deny \(id)",
      fields(of: request))
  }

  /// What became of a request that was written in full.
  /// - Parameter approved: nil when it ended without an answer.
  static func ended(_ request: WrittenRequests.Request, approved: Bool?) -> Notice {
    let outcome = approved.map { $0 ? "Allowed" : "Denied" } ?? "Ended without an answer"
    return Notice(
      .requestEnded, .info, "A request no longer waits: \(outcome.lowercased()).",
      owner: "\(outcome): \(request.title), for \(shown(request.app)) (\(request.id.prefix(digitsForTyping))).",
      [(.request, request.id)])
  }

  private static func fields(of request: PendingRequest) -> [(StaticName, String)] {
    [(.request, request.name), (.method, request.method.rawValue)] + (request.kind.map { [(.kind, "\($0)")] } ?? [])
  }

  /// For a request that the rules allow: it waits only for the key, so nobody has to approve it.
  private static func waitsForUnlocking(_ request: PendingRequest, title: String, app name: String, home: String?) -> Notice {
    Notice(
      .requestWaits, .notice,
      "A request waits until the signer is unlocked: \(wish(request)). To unlock it: \(command("unlock", home))",
      owner: "\(shown(name)) waits until you unlock the signer: \(title)\n  holdfast unlock",
      fields(of: request))
  }

  /// Requests that were not written one by one.
  static func more(_ count: Int, app name: String) -> Notice {
    Notice(
      .moreRequests, .notice, "An app asks \(count) more. See: holdfast request list",
      owner: "\(shown(name)) asks \(count) more; see: holdfast request list", [(.count, "\(count)")])
  }

  /// Requests that were refused because too many wait.
  static func refused(_ count: Int, app name: String) -> Notice {
    let refused = "\(count == 1 ? "was" : "were") refused, because too many wait for you already. See: holdfast request list"
    return Notice(
      .requestsRefused, .warning, "\(count) more \(count == 1 ? "request" : "requests") of an app \(refused)",
      owner: "\(count) more of \(shown(name)) \(refused)", [(.count, "\(count)")])
  }

  /// - Parameter home: the vault's folder, if the owner's commands have to name it.
  static func asked(_ request: ShareAsked, home: String? = nil) -> Notice {
    let command = command("guardian", home)
    guard !request.isKeptHere else {
      let text = "Somebody asks for a share that you keep, of kit \(request.kit). See: \(command) requests"
      return Notice(.shareAsked, .warning, "Somebody asks for a share that is kept here.", owner: text)
    }
    let hints = "If it is not you: \(command) cancel \(request.name). See: \(command) requests"
    guard !request.isAllowed else {
      let text = "A guardian agreed to give somebody your share of kit \(request.kit). \(hints)"
      return Notice(.shareAsked, .warning, "A guardian agreed to give somebody the owner's share.", owner: text)
    }
    let text = "Somebody asks a guardian for your share of kit \(request.kit). \(hints)"
    return Notice(.shareAsked, .warning, "Somebody asks a guardian for the owner's share.", owner: text)
  }

  private static func command(_ noun: String, _ home: String?) -> String {
    "holdfast \(home.map { "--home \(ShellWord.plainOrQuoted($0)) " } ?? "")\(noun)"
  }

  /// So many digits of a request's id are shown where somebody may type them. The list of requests shows as many.
  private static let digitsForTyping = 8

  /// The heading of the request in the console and in lists, without where it logs in, since the journal is kept: `Change your profile`.
  /// - Parameter before: the last event of the kind that was signed here.
  static func title(of request: PendingRequest, before: EventTemplate? = nil) -> String {
    let described = RequestDescription(
      request, .init(pairing: nil, identityName: "", facts: nil, before: before, batches: Batches([])))
    return ShownText.clean(RequestTitle.withoutPlace(described.title), limit: longestText)
  }

  private static func wish(_ request: PendingRequest) -> String {
    switch request.method {
    case .signEvent: "sign an event of kind \(request.kind ?? 0)"
    case .nip04Encrypt, .nip44Encrypt: "encrypt a message"
    case .nip04Decrypt, .nip44Decrypt: "decrypt a message"
    case .getPublicKey: "learn your public key"
    default: request.method.rawValue
    }
  }

  /// - Parameter relay: nil for a relay that an app named.
  static func lost(relay: String?, why: String) -> Notice {
    let name = relay ?? "An app's relay"
    return Notice(
      .relayLost, .warning,
      "\(name) is away: \(ShownText.inSentence(why, limit: longestText)). It is tried again."
        + (relay == nil ? " To see which: holdfast relay list" : ""),
      relay.map { [(.relay, $0)] } ?? [])
  }

  static func back(relay: String?) -> Notice {
    Notice(.relayBack, .notice, "\(relay ?? "An app's relay") is back.", relay.map { [(.relay, $0)] } ?? [])
  }

  static func incident(_ incident: Incident) -> Notice {
    Notice(
      .incident, incident.isOwners ? .notice : incident.severity == .critical ? .critical : .warning,
      ShownText.clean(incident.text, limit: longestText))
  }

  static func problem(_ problem: Problem) -> Notice {
    Notice(.problem, .warning, "\(problem.text) \(problem.hint)", [(.problem, problem.rawValue)])
  }

  static func over(_ problem: Problem) -> Notice {
    Notice(.problemOver, .notice, "This is over: \(problem.text)", [(.problem, problem.rawValue)])
  }

  static func leftOut(_ count: Int) -> Notice {
    Notice(.leftOut, .notice, "\(count) lines were left out: too many at once.", [(.count, "\(count)")])
  }
}
