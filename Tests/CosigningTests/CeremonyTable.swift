import Curve
import Encodings
import TestSupport
import Testing
import Threshold

@testable import Cosigning

/// A host and its guests, and messages between them that pass in their JSON form. Losses, copies and the order follow from the seed.
struct CeremonyTable {
  /// What one of them has when it is over.
  struct Seat {
    var group: CosignGroup?
    var share: KeyShare?
    var mayUse = false
    var ended: CeremonyMessage.Reason?
    var blamed: UInt32?
    var compared: Bytes32?
  }

  let split: KeyPair?
  let keys: [KeyPair]
  var host: CeremonyHost
  var guests: [CeremonyGuest]
  var seats: [Seat]
  var dice: Repeatable
  var loss: Int?
  var copies: Int?
  /// What a message becomes on its way, with the number of its sender; nil for nothing.
  var change: (CeremonyMessage, UInt32) -> CeremonyMessage? = { message, _ in message }
  private var letters: [(text: [UInt8], from: UInt32, to: UInt32)] = []

  init(threshold: Int, members: Int, splitting split: KeyPair? = nil, seed: UInt64 = 1) throws {
    (self.split, dice) = (split, Repeatable(seed: seed))
    let keys = try (0..<members).map { _ in try KeyPair.random() }
    self.keys = keys
    host = try CeremonyHost(
      name: "family", way: split == nil ? .generated : .dealt, threshold: threshold, members: members, key: keys[0].publicKey,
      relays: ["ws://127.0.0.1:1/path"])
    guests = try zip(host.invitations, keys.dropFirst()).map { invitation, key in
      try CeremonyGuest(try #require(CeremonyInvitation(invitation.text)), key: key.publicKey)
    }
    seats = keys.map { _ in Seat() }
  }

  /// Goes on until nothing is said any more, at most so many rounds of reminders.
  mutating func run(reminders: Int = 80) throws {
    for _ in 0..<reminders {
      for number in guests.indices { if let message = guests[number].message { post(message, UInt32(number + 1), 0) } }
      try host.repeated().forEach { try follow($0) }
      guard !letters.isEmpty || seats.contains(where: { !$0.mayUse && $0.ended == nil }) else { return }
      while !letters.isEmpty {
        let letter = letters.remove(at: Int.random(in: 0..<letters.count, using: &dice))
        try deliver(try CeremonyMessage(parsing: letter.text), letter.from, letter.to)
      }
    }
  }

  mutating func post(_ message: CeremonyMessage, _ from: UInt32, _ to: UInt32) {
    guard let message = change(message, from) else { return }
    for _ in 0..<(copies.map { dice.isOne(in: $0) } == true ? 2 : 1) where loss.map({ dice.isOne(in: $0) }) != true {
      letters.append((message.json(), from, to))
    }
  }

  private mutating func deliver(_ message: CeremonyMessage, _ from: UInt32, _ to: UInt32) throws {
    if to == 0 { return try host.receive(message, from: keys[Int(from)].publicKey).forEach { try follow($0) } }
    let place = Int(to) - 1
    do throws(CosignError) {
      if let action = try guests[place].receive(message) { try follow(action, to) }
    } catch {
      seats[Int(to)].ended = .faulty
      if let farewell = guests[place].callOff(.faulty) { post(farewell, to, 0) }
    }
  }

  private mutating func follow(_ action: CeremonyHost.Action) throws {
    switch action {
    case .send(let message, let key): post(message, 0, UInt32(keys.firstIndex { $0.publicKey == key } ?? 0))
    case .compare(let plan):
      seats[0].compared = plan.hash
      try host.confirm().forEach { try follow($0) }
    case .deal: try host.deal(try #require(split).secretKey()).forEach { try follow($0) }
    case .store(let group, let share):
      (seats[0].group, seats[0].share) = (group, share)
      try host.noteStored().forEach { try follow($0) }
    case .use(let group): seats[0].mayUse = group == seats[0].group
    case .end(let reason, let member): (seats[0].ended, seats[0].blamed) = (reason, member)
    }
  }

  private mutating func follow(_ action: CeremonyGuest.Action, _ number: UInt32) throws(CosignError) {
    let place = Int(number)
    switch action {
    case .compare(let plan):
      seats[place].compared = plan.hash
      if let action = try guests[place - 1].confirm() { try follow(action, number) }
    case .send: if let message = guests[place - 1].message { post(message, number, 0) }
    case .store(let group, let share):
      (seats[place].group, seats[place].share) = (group, share)
      if let action = guests[place - 1].noteStored() { try follow(action, number) }
    case .use(let group): seats[place].mayUse = group == seats[place].group
    case .end(let reason): seats[place].ended = reason
    }
  }
}
