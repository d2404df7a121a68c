import AuditLog
import Curve
import Encodings
import Identities
import KeyRotation
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import RequestPreview
import Signer
import Vault

/// Names of people in requests: off until the owner wants them, because relays learn who is looked up.
extension Operations {
  static let peopleHandlers: [OperationHandler] = [
    .init(PeopleShow.self) { operations, _, _ in operations.peopleState },
    .init(PeopleSet.self) { operations, request, _ in try operations.setPeople(request) },
  ]

  /// The setting `people.names` of the vault: 1 or 0.
  private static let setting = Array("people.names".utf8)

  private var peopleState: PeopleState {
    var state = PeopleState()
    state.showsNames = ((try? home.vault.value(.setting, id: Self.setting)) ?? nil) == [1]
    return state
  }

  private func setPeople(_ request: PeopleState) throws -> PeopleState {
    let rule = AuditRule(clipping: "names of people: \(request.showsNames ? "on" : "off")")
    try home.outbox.recording(.event(.settingChanged, rule: rule)) {
      try home.vault.transaction([.put(.setting, Self.setting, [request.showsNames ? 1 : 0])])
    }
    if !request.showsNames { people.forget() }
    home.signerEvents.tell(.publishedFound)
    return peopleState
  }

  /// What people in a request call themselves, as far as it is known; those who are not known are looked up meanwhile.
  func names(in description: RequestDescription) -> (PublicKey) -> PersonName? {
    let keys = Set(description.parts.flatMap(\.people)).subtracting([description.request.identity])
    guard !keys.isEmpty, peopleState.showsNames else { return { _ in nil } }
    lookUp(keys, for: description.request.identity)
    let (own, now) = (home.identities.all, Clock.seconds)
    let (ownKeys, taken) = (Set(own.map(\.publicKey)), Set(own.map { $0.name.lowercased() }))
    return { [people] key in ownKeys.contains(key) ? nil : people.name(of: key, taken: taken, now: now) }
  }

  private func lookUp(_ keys: Set<PublicKey>, for identity: PublicKey) {
    guard let running, !home.sessionLock.isLocked else { return }
    let (named, relays) = ownRelays(of: identity, running)
    guard !relays.isEmpty else { return }
    let unknown = people.begin(keys.subtracting(home.identities.all.map(\.publicKey)), now: Clock.seconds)
    guard !unknown.isEmpty else { return }
    // Neither the operations nor the home: a search must not keep the keys of a home that is closed.
    let thread = SystemThread.start { [people, signerEvents = home.signerEvents] in
      let session = try? RelaySession(named: named)
      let events = session?.fetch([EventKind.metadata], byAnyOf: unknown, from: relays).events ?? []
      session?.end()
      people.end(events, now: Clock.seconds)
      signerEvents.tell(.publishedFound)
    }
    if thread == nil { people.end([], now: Clock.seconds) }
  }
}

extension DescriptionPart {
  /// The people it names by their keys.
  fileprivate var people: [PublicKey] {
    switch self {
    case .peer(_, let key, let isSelf): isSelf ? [] : [key]
    case .listChange(_, let change): (change.shownRemoved + change.shownAdded).compactMap(\.person)
    default: []
    }
  }
}

extension ListChange.Entry {
  fileprivate var person: PublicKey? { if case .person(let key) = self { key } else { nil } }
}
