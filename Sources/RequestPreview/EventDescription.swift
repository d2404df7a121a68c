import Curve
import Nostr
import RemoteSigning

/// Describes in words what signing an event would do.
struct EventDescription {
  let template: EventTemplate
  /// The last event that was signed here at the same coordinate. Nil when none is known.
  let before: EventTemplate?
  /// Where `before` is from, if not from here.
  let lookup: Lookup
  /// When the request arrived, in seconds since 1970.
  let receivedAt: Int64
  /// The kinds of the profile and lists that a deletion names by ids that were signed here.
  let deletedLists: Set<Int>
  private(set) var title: String
  /// What the title says beyond the kind's own.
  private(set) var heading: RequestHeading?
  var page: DescriptionPage
  private var told: Set<String> = []
  /// Names of tags that occur several times although one value was read.
  private var repeated: [String] = []

  /// - Parameter before: see the property. Nil is not the same as an empty list.
  init(
    _ template: EventTemplate, identity: PublicKey, before: EventTemplate?, lookup: Lookup = .none, receivedAt: Int64,
    deletedLists: Set<Int> = []
  ) {
    self.init(
      undescribed: template, identity: identity, before: before, lookup: lookup, receivedAt: receivedAt,
      deletedLists: deletedLists)
    describe()
    tellCommonTags()
    tellDate()
    tellRepeatedTags()
    tellRemainingTags()
  }

  private init(
    undescribed template: EventTemplate, identity: PublicKey, before: EventTemplate?, lookup: Lookup = .none,
    receivedAt: Int64 = 0, deletedLists: Set<Int> = []
  ) {
    (self.template, self.before, self.lookup, self.receivedAt) = (template, before, lookup, receivedAt)
    self.deletedLists = deletedLists
    title = KindName(template.kind).title
    page = DescriptionPage(identity: identity)
  }

  /// The heading alone, without the page: requests that no owner reads are asked for it, too.
  static func heading(of template: EventTemplate, identity: PublicKey, before: EventTemplate?) -> RequestHeading? {
    var description = EventDescription(undescribed: template, identity: identity, before: before)
    switch template.kind {
    case EventKind.metadata: return description.profileHeading
    case EventKind.follows: return description.followsHeading
    default: break
    }
    description.describe()
    return description.heading
  }

  private mutating func describe() {
    if template.emptiesList {
      retitle(.emptiedList)
      page.fact("Which", KindName(template.kind).name)
    }
    switch template.kind {
    case EventKind.metadata: profile()
    case EventKind.follows: follows()
    case EventKind.relayList, 10006, 10007, 10050, 10063, 30002: relays()
    case EventKind.deletion: deletion()
    case 6, 16: repost()
    case 7: reaction()
    case 4, 13, 1059: sealed()
    case EventKind.relayLogin: relayLogin()
    case EventKind.httpLogin: webLogin()
    case GuardedKinds.fileLogin: fileLogin()
    case 9734: zapRequest()
    case 30023, 30024, 30402: article()
    case EventKind.applicationData: applicationData()
    case 1984: report()
    case GuardedKinds.vanish: vanish()
    case EventKind.remoteSigning: remoteSigning()
    default: byEffect()
    }
  }

  private mutating func byEffect() {
    switch KindTable.effect(of: template.kind) {
    case .money: wallet()
    case .list: list()
    case .unknown:
      page.warning("Holdfast does not know this kind of event and cannot say what it does.")
      other()
    case .keyHandling:
      page.warning("This speaks for your key: others take it as your statement about keys or groups.")
      other()
    case .destruction:
      page.warning("This removes something or somebody.")
      other()
    case .ordinary, .profile, .login: other()
    }
  }

  /// - Parameter text: begins with the kind's own title, which the log has.
  mutating func retitle(_ text: String) { title = DescriptionPage.line(text) }

  /// Says what it is, in the words that the log has for it too.
  mutating func retitle(_ heading: RequestHeading) { (self.heading, title) = (heading, heading.words ?? title) }

  // MARK: tags

  /// Whether tags of this name have been described.
  func isTold(_ name: String) -> Bool { told.contains(name) }

  /// All tags of a name. They count as described from now on.
  mutating func tags(_ name: String) -> [[String]] {
    told.insert(name)
    return template.tags.filter { $0.first == name && $0.count > 1 }
  }

  /// The value of the first tag of a name. Further ones are mentioned at the end.
  mutating func value(_ name: String) -> String? {
    let found = tags(name)
    if found.count > 1, !repeated.contains(name) { repeated.append(name) }
    return found.first?[1]
  }

  /// Shows the people in tags of a name. Those beyond the limit are counted.
  mutating func people(_ label: String, tag name: String = "p") {
    let found = tags(name)
    for tag in found.prefix(DescriptionPage.mostReferences) { page.peer(label, hex: tag[1]) }
    tellRest(of: found.count, label)
  }

  /// Shows the references in tags of a name. Those beyond the limit are counted.
  mutating func references(_ label: String, tag name: String) {
    let found = tags(name)
    for tag in found.prefix(DescriptionPage.mostReferences) { page.reference(label, tag[1]) }
    tellRest(of: found.count, label)
  }

  mutating func facts(_ label: String, tag name: String) {
    let found = tags(name)
    for tag in found.prefix(DescriptionPage.mostReferences) { page.fact(label, tag.dropFirst().joined(separator: " ")) }
    tellRest(of: found.count, label)
  }

  mutating func tellRest(of count: Int, _ label: String) {
    if count > DescriptionPage.mostReferences { page.fact(label, "and \(count - DescriptionPage.mostReferences) more") }
  }

  // A recipient of an event with two addresses, titles or amounts may read the one that was not shown.
  private mutating func tellRepeatedTags() {
    guard !repeated.isEmpty else { return }
    page.warning("It gives two values where one is expected. The receiver may use the other one.")
    for name in repeated {
      let others = tags(name).dropFirst()
      for tag in others.prefix(DescriptionPage.mostReferences) {
        page.fact("Another \(ShownText.quoted(name, limit: 32))", tag.dropFirst().joined(separator: " "))
      }
      tellRest(of: others.count, name)
    }
  }

  /// Names and counts all tags that were not described, so that nothing is hidden. Of a kind that nobody here knows, the values may be all
  /// that it says, and the first of them are shown.
  private mutating func tellRemainingTags() {
    var rest = template.tags.filter { $0.first.map { !told.contains($0) } ?? false }
    if KindTable.effect(of: template.kind) == .unknown {
      for tag in rest.prefix(DescriptionPage.mostReferences) {
        let name = ShownText.clean(tag[0], limit: Self.longestTagName)
        page.fact("Tag", tag.count > 1 ? "\(name): \(tag.dropFirst().joined(separator: " "))" : name)
      }
      rest.removeFirst(min(rest.count, DescriptionPage.mostReferences))
    }
    tellNames(of: rest)
  }

  /// The most of a tag's name that is shown, in bytes.
  private static let longestTagName = 32

  private mutating func tellNames(of rest: [[String]]) {
    var counts: [(name: String, count: Int)] = []
    var places: [String: Int] = [:]
    for name in rest.map({ $0[0] }) {
      if let place = places[name] {
        counts[place].count += 1
      } else {
        places[name] = counts.count
        counts.append((name, 1))
      }
    }
    guard !counts.isEmpty else { return }
    let shown = counts.prefix(DescriptionPage.mostReferences).map { name, count in
      ShownText.clean(name, limit: Self.longestTagName) + (count > 1 ? " ×\(count)" : "")
    }
    let more = counts.count - shown.count
    page.fact("Other tags", shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
  }
}
