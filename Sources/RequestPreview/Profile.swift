import JSON
import Nostr
import RemoteSigning

/// What a new profile or follow list does to the one before: it sends payments to another place, changes nothing, or adds without a loss.
package enum ReplacementEffect: Sendable, Equatable {
  case payments, nothing, noLoss
}

/// The profile: the previous and the new value of each field.
extension EventDescription {
  /// The most fields that are shown; more than any profile has.
  private static let mostFields = 30
  /// Fields by which clients find where payments go (NIP-57), and others that some clients read.
  private static let payment = [
    "lud16", "lud06", "lightning", "bolt12", "bip353", "bitcoin", "btc", "monero", "xmr", "cryptocurrency_addresses",
  ]

  mutating func profile() {
    guard let new = Self.fields(template.content) else {
      page.warning("Apps cannot read this profile, or each reads it differently.")
      return page.text("Content", template.content)
    }
    let old = before.flatMap { Self.fields($0.content) }
    let names = Self.names(old ?? [], new)
    let changedFields = names.compactMap { name in
      Self.change(name, Self.value(name, old ?? []), Self.value(name, new), isKnown: old != nil)
    }
    let all = changedFields + changedTags(isKnown: old != nil)
    // What can cost something is read first, and addresses that every app reads before others, however many fields are invented.
    let changes =
      all.filter { Self.isPayment($0.name) } + all.filter { !Self.isPayment($0.name) && $0.warning != nil }
      + all.filter { !Self.isPayment($0.name) && $0.warning == nil }
    if let profileHeading { retitle(profileHeading) }
    page.fields("Profile", Array(changes.prefix(Self.mostFields)), hasBaseline: old != nil)
    if changes.count > Self.mostFields { page.fact("Profile", "and \(changes.count - Self.mostFields) more fields") }
    tellSource("profile", isKnown: old != nil)
    if changes.isEmpty { tellSame(new, isKnown: old != nil) }
  }

  /// What is to be said of a profile beyond that it is one.
  var profileHeading: RequestHeading? {
    redirectsPayments ? .payee : repeatsProfile ? .sameProfile : keepsProfile ? .keptProfile : nil
  }

  /// Of a profile or a follow list; nil for one that may lose something, and for all else.
  var replacementEffect: ReplacementEffect? {
    switch heading {
    case .payee: .payments
    case .sameProfile, .sameFollows: .nothing
    case .keptProfile, .addedFollows: .noLoss
    default: nil
    }
  }

  /// Whether it is the profile that was signed here last, whichever app wrote it and in whatever order its fields are. One that is known
  /// from relays only does not count: they may have an old one, and the log knows what was signed here.
  var repeatsProfile: Bool {
    guard repeatsTags, let old = before.flatMap({ Self.fields($0.content) }), let new = Self.fields(template.content) else {
      return false
    }
    func first(_ fields: [JSONValue.Member]) -> [String: JSONValue] {
      Dictionary(fields.map { ($0.key, $0.value) }) { first, _ in first }
    }
    return first(old) == first(new)
  }

  /// Whether no field of the profile that was signed here last is gone or empty, and nothing new may direct payments. The one so far is known
  /// from here only, as in `repeatsProfile`.
  private var keepsProfile: Bool {
    guard keepsTags, let old = before.flatMap({ Self.fields($0.content) }), let new = Self.fields(template.content),
      Set(new.map(\.key)).count == new.count
    else { return false }
    let tags = Set(before?.tags ?? [])
    let isLost = old.contains { Self.says(Self.value($0.key, old)) && !Self.says(Self.value($0.key, new)) }
    let mayDirect =
      new.contains { PaymentAddresses.mayDirect(field: $0.key) && $0.value != Self.value($0.key, old) }
      || template.tags.contains { !tags.contains($0) && PaymentAddresses.mayDirect(tag: $0) }
    return !isLost && !mayDirect
  }

  private static func says(_ value: JSONValue?) -> Bool { value != nil && value != .null && value?.string != "" }

  /// Whether it has the tags of the last one that was signed here.
  var repeatsTags: Bool { comparesTags(==) }

  /// Whether it has all of them, and maybe more.
  var keepsTags: Bool { comparesTags { $0.isSubset(of: $1) } }

  private func comparesTags(_ isSo: (_ old: Set<[String]>, _ new: Set<[String]>) -> Bool) -> Bool {
    guard lookup == .none, let before else { return false }
    return isSo(Self.telling(before.tags), Self.telling(template.tags))
  }

  /// Whether payments would go elsewhere, by the fields and tags that are addresses. Reads no other field: a profile may be long.
  var redirectsPayments: Bool {
    guard let new = Self.fields(template.content) else { return false }
    let old = before.flatMap { Self.fields($0.content) } ?? []
    let addresses = Self.names(old, new).filter { Self.payment.contains($0.lowercased()) }
    return addresses.contains { Self.value($0, old) != Self.value($0, new) } || Self.addresses(before) != Self.addresses(template)
  }

  private static func addresses(_ template: EventTemplate?) -> Set<[String]> {
    Set((template?.tags ?? []).filter { PaymentAddresses.mayDirect(tag: $0) && payment.contains($0.first?.lowercased() ?? "") })
  }

  /// Whether a shown field or tag is one that names where payments go.
  private static func isPayment(_ name: String) -> Bool {
    payment.contains((name.hasPrefix("tag ") ? String(name.dropFirst(4)) : name).lowercased())
  }

  /// Tags without the one that names the app that wrote them.
  private static func telling(_ tags: [[String]]) -> Set<[String]> { Set(tags.filter { $0.first != "client" }) }

  /// What stays where nothing changes: an owner wants to see where payments go all the same.
  private mutating func tellSame(_ fields: [JSONValue.Member], isKnown: Bool) {
    guard isKnown else { return page.fact("Profile", "it is empty") }
    page.fact("Profile", lookup == .found ? "the same as on your relays" : "the same as the last one that was signed here")
    for name in Self.payment { if let value = Self.value(name, fields) { page.fact("Payments go to", Self.shown(value)) } }
  }

  /// Says where the earlier event is from, or warns that none is known, since all that the new one lacks would be gone.
  mutating func tellSource(_ what: String, isKnown: Bool) {
    if isKnown {
      if lookup == .found { page.fact("Compared with", "your \(what) as your relays have it; none was signed here yet") }
      return
    }
    guard SignedCoordinate.isLookedUp(template.kind) else {
      return page.fact("Compared with", "nothing: Holdfast knows no earlier \(what)")
    }
    if lookup == .searching {
      return page.warning("Holdfast is looking for your present \(what) on your relays. Wait a moment before you answer.")
    }
    page.warning(
      "Holdfast knows no earlier \(what), so it cannot show what changes. Whatever you have now would be replaced as a whole.",
      about: .noEarlier)
  }

  /// Tags that are no known other thing: some clients read them for where payments go.
  private mutating func changedTags(isKnown: Bool) -> [DescriptionPart.FieldChange] {
    func directing(_ template: EventTemplate?) -> [[String]] { (template?.tags ?? []).filter(PaymentAddresses.mayDirect(tag:)) }
    let (old, new) = (directing(before), directing(template))
    for tag in new { _ = tags(tag.first ?? "") }
    func change(_ tag: [String], _ before: String?, _ after: String?) -> DescriptionPart.FieldChange {
      let name = DescriptionPage.line("tag " + (tag.first ?? ""))
      let isAddress = Self.payment.contains(tag.first?.lowercased() ?? "")
      return .init(
        name: name, before: before, after: after,
        warning: isAddress
          ? Self.paymentWarning(isGone: after == nil, isKnown: isKnown)
          : after.map { _ in Self.mayDirect })
    }
    func value(_ tag: [String]) -> String { DescriptionPage.field(tag.dropFirst().joined(separator: " ")) }
    return new.filter { !old.contains($0) }.map { change($0, nil, value($0)) }
      + old.filter { !new.contains($0) }.map { change($0, value($0), nil) }
  }

  private static func fields(_ content: String) -> [JSONValue.Member]? {
    (try? JSONValue(parsing: Array(content.utf8)))?.members
  }

  private static func names(_ old: [JSONValue.Member], _ new: [JSONValue.Member]) -> [String] {
    var seen: Set<String> = []
    return (new + old).map(\.key).filter { seen.insert($0).inserted }
  }

  private static func value(_ name: String, _ fields: [JSONValue.Member]) -> JSONValue? {
    fields.first { $0.key == name }?.value
  }

  private static func change(
    _ name: String, _ before: JSONValue?, _ after: JSONValue?, isKnown: Bool
  ) -> DescriptionPart.FieldChange? {
    guard before != after else { return nil }
    var change = DescriptionPart.FieldChange(
      name: DescriptionPage.line(name), before: before.map(shown), after: after.map(shown))
    if payment.contains(name.lowercased()) {
      change.warning = paymentWarning(isGone: after == nil, isKnown: isKnown)
    } else if after != nil, PaymentAddresses.mayDirect(field: name) {
      change.warning = mayDirect
    }
    return change
  }

  private static let mayDirect = "Some apps may read from this where payments to you go. Approve it only if it is right."

  private static func paymentWarning(isGone: Bool, isKnown: Bool) -> String {
    if isGone { return "Payments to you would have no address here any more." }
    return isKnown
      ? "This changes where payments to you go. Approve it only if this address is yours."
      : "Payments to you would go here. Approve it only if this address is yours."
  }

  private static func shown(_ value: JSONValue) -> String {
    DescriptionPage.field(value.string ?? String(decoding: value.serialized(), as: UTF8.self))
  }
}
