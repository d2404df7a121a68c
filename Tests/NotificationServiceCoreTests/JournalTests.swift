import Curve
import Encodings
import Nostr
import NotificationServiceSupport
import RemoteSigning
import TestSupport
import Testing

@testable import NotificationServiceCore

@Suite("What the extension accepted is on the disk") struct JournalTests {
  private let scene: Scene
  private let phone: Phone

  init() throws {
    scene = try Scene()
    phone = scene.phone
  }

  @Test("A request that is pushed again after a restart is not answered again") func replay() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    phone.relays.store(event, at: Phone.relay)
    #expect(phone.wake(phone.push(event)).result == .signed)
    for isEmbedded in [true, false] { #expect(phone.wake(phone.push(event, isEmbedded: isEmbedded)) == .seen) }
    #expect(phone.relays.published.count == 1)
    // Nor after the app took it over and handed its next state over.
    let taken = try phone.takeBack()
    #expect(taken.entries.map(\.fate) == [.sent] && taken.entries[0].signedEvent == phone.answers(to: &app).first?.signed?.id)
    phone.state.seen = taken.entries.map { .init(id: $0.eventID, createdAt: $0.createdAt) }
    phone.state.revision = taken.nextRevision
    try phone.handOver()
    #expect(phone.wake(phone.push(event)).result == .seen)
  }

  @Test("While a relay takes the answer, its request is on the disk") func recordedFirst() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    phone.relays.set(Phone.relay) { $0.isSilent = true }
    #expect(phone.wake(phone.push(event), milliseconds: 3_000).result == .failed)
    #expect(phone.wake(phone.push(event)).result == .seen)
  }

  @Test("A journal that was torn at any byte is read up to the last whole record, and goes on") func torn() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let empty = try scene.bytes("journal").count
    let events = try (0..<2).map { try scene.request(&app, template(content: "\($0)")) }
    #expect(phone.wake(phone.push(events[0])).result == .signed)
    let afterOne = try scene.bytes("journal").count
    #expect(phone.wake(phone.push(events[1])).result == .signed)
    let whole = try scene.bytes("journal")
    for length in empty...whole.count {
      try scene.home.write(Array(whole[..<length]), to: "journal")
      let read = try JournalScan(try scene.bytes("journal"), phone.key)
      #expect(read.fault == nil && read.end <= length)
      // At the ends, where a record begins and in the middle of one, a wake goes on from there.
      guard [empty, empty + 7, afterOne - 1, afterOne, afterOne + 9, whole.count].contains(length) else { continue }
      let knowsSecond = read.entry(of: events[1].id) != nil
      #expect(phone.wake(phone.push(events[1])).result == (knowsSecond ? .seen : .signed))
      #expect(phone.wake(phone.push(events[1])).result == .seen)
    }
  }

  @Test("A tail of zeros, as a power cut leaves it, counts as torn") func zeros() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    #expect(try scene.sign(&app).result == .signed)
    try scene.home.write(try scene.bytes("journal") + [UInt8](repeating: 0, count: 100), to: "journal")
    #expect(try scene.sign(&app, template(content: "next")).result == .signed)
    #expect(try phone.takeBack().entries.count == 2)
  }

  @Test("A changed byte of the journal is found, and nothing is answered until the app has looked") func flipped() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    #expect(try scene.sign(&app).result == .signed)
    let whole = try scene.bytes("journal")
    for place in whole.indices {
      var changed = whole
      changed[place] ^= 1
      try scene.home.write(changed, to: "journal")
      #expect(throws: ExtensionError.self, "byte \(place)") { try JournalTests.open(phone) }
    }
    let outcome = try scene.sign(&app)
    #expect(outcome.result == .failed && outcome.fault == .files(.notAuthentic(.journal)) && !outcome.isSilent)
    #expect(phone.relays.published.count == 1)
    // The app gets what is sound, and is told.
    let taken = try phone.takeBack()
    #expect(taken.fault == .notAuthentic(.journal) && taken.entries.count == 1)
    phone.state.revision = taken.nextRevision
    try phone.handOver()
    #expect(try scene.sign(&app).result == .signed)
  }

  static func open(_ phone: Phone) throws -> Int {
    let (state, id) = try ExtensionState.read(phone.folder, phone.key)
    return try ExtensionJournal(phone.folder, phone.key, for: state, id: id).entries.count
  }

  @Test("A journal of an earlier state, a missing one and another phone's are refused") func otherJournals() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let first = try scene.bytes("journal")
    phone.state.revision = try phone.takeBack().nextRevision
    try phone.handOver()
    try scene.home.write(first, to: "journal")
    #expect(try scene.sign(&app).fault == .files(.otherJournal))
    try scene.home.write(Array(first.prefix(JournalHead.length)), to: "journal")
    #expect(try scene.sign(&app).fault == .files(.notAuthentic(.journal)))
    let other = try Scene()
    try other.phone.handOver()
    try scene.home.write(try other.bytes("journal"), to: "journal")
    #expect(try scene.sign(&app).fault == .files(.notAuthentic(.journal)))
    try scene.home.write([], to: "journal")
    #expect(try scene.sign(&app).fault == .files(.unknownForm(.journal)))
    #expect(phone.relays.published.isEmpty)
  }

  @Test("A full journal answers nothing, and requests that wait leave space for those that are allowed") func full() throws {
    var (app, careful) = (try phone.pair("Coracle"), try phone.pair("Careful", Grant(trust: .low)))
    try phone.handOver()
    let large = String(repeating: "x", count: 100 << 10)
    for index in 0..<12 {
      let event = try scene.request(&careful, template(content: large + "\(index)"))
      phone.relays.store(event, at: Phone.relay)
      let outcome = phone.wake(phone.push(event, isEmbedded: false))
      guard outcome.result != .waiting else { continue }
      #expect(outcome.fault == .files(.tooLong(.journal, limit: ExtensionJournal.longestWithWaiting)))
    }
    #expect(phone.answers(to: &careful).contains { $0.isRefusal })
    #expect(try scene.sign(&app).result == .signed)
    // To the end, by the extension's own records.
    let (state, id) = try ExtensionState.read(phone.folder, phone.key)
    let journal = try ExtensionJournal(phone.folder, phone.key, for: state, id: id)
    #expect(throws: ExtensionError.tooLong(.journal, limit: ExtensionJournal.longest)) {
      while true { try journal.note(.told(.init())) }
    }
    #expect(try scene.bytes("journal").count <= ExtensionJournal.longest)
    let outcome = try scene.sign(&app, template(content: "one too many"))
    #expect(outcome.result == .failed && outcome.fault == .files(.tooLong(.journal, limit: ExtensionJournal.longest)))
    #expect(phone.answers(to: &app).last?.isRefusal == true)
  }

  @Test("Two wakes, or the app and a wake, have the files one after the other") func locked() throws {
    var app = try phone.pair("Coracle")
    try phone.handOver()
    let event = try scene.request(&app)
    do {
      let lock = try phone.folder.lock(milliseconds: 0)
      #expect(phone.wake(phone.push(event), milliseconds: 700).fault == .files(.inUse))
      withExtendedLifetime(lock) {}
    }
    #expect(phone.wake(phone.push(event)).result == .signed)
  }

  @Test("While the app has taken its state back, the extension answers nothing") func takenBack() throws {
    var app = try phone.pair("Coracle")
    #expect(try scene.sign(&app).fault == .files(.notThere(.state)))
    try phone.handOver()
    #expect(throws: ExtensionError.notTakenBack) { try phone.handOver() }
    let state = try scene.bytes("state")
    let taken = try phone.takeBack()
    #expect(try scene.sign(&app).fault == .files(.notThere(.state)))
    // Somebody puts the state back.
    try scene.home.write(state, to: "state")
    #expect(try scene.sign(&app).fault == .files(.olderState))
    // An app that is ended before it stored the entries gets them again.
    try phone.takeBack()
    phone.state.revision = taken.nextRevision + 2
    try phone.handOver()
    #expect(try scene.sign(&app).result == .signed)
    struct Ended: Error {}
    #expect(throws: Ended.self) {
      try phone.folder.takeBack(with: phone.key, holding: try phone.folder.lock(milliseconds: 0)) { _ in throw Ended() }
    }
    #expect(try phone.takeBack().entries.count == 1)
  }
}
