import Curve
import Encodings
import Nostr
import TestSupport
import Threshold

@testable import Cosigning

extension Repeatable {
  mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// One member of the tests, which can be killed and begun anew: then it has its share and nothing else.
final class Daemon {
  let share: KeyShare
  let group: CosignGroup
  var member: CosignMember

  init(_ group: CosignGroup, _ share: KeyShare) throws {
    (self.group, self.share) = (group, share)
    member = try CosignMember(group, share: share)
  }

  func beginAnew() throws { member = try CosignMember(group, share: share) }
}

/// A group of a dealt key and its members.
struct Scene {
  let key: KeyPair
  let dealing: TrustedDealer.Dealing
  let group: CosignGroup
  let daemons: [Daemon]

  init(threshold: Int, members: Int) throws {
    key = try KeyPair.random()
    let dealing = try TrustedDealer.split(try key.secretKey(), threshold: threshold, members: members)
    self.dealing = dealing
    group = try CosignGroup(
      publicKey: dealing.commitment.publicKey, threshold: threshold,
      members: try dealing.shares.map { .init(key: try KeyPair.random().publicKey, publicShare: $0.publicShare) })
    daemons = try dealing.shares.map { [group] in try Daemon(group, $0) }
  }

  func event(_ content: String = "hello", at time: Int64 = 1000) -> UnsignedEvent {
    UnsignedEvent(pubkey: key.publicKey, createdAt: time, kind: 1, tags: [["t", "x"]], content: content)
  }

  func round(_ content: String = "hello") throws -> CosignRound { try CosignRound(group, .sign(event(content)), expires: 2000) }
}

/// Messages on their way between one coordinator and the members. Each passes its JSON form. Losses, copies, the order and kills follow from the
/// seed.
struct Network {
  enum Place: Hashable { case coordinator, member(UInt32) }
  struct Letter {
    let text: [UInt8]
    let from: UInt32
    let to: Place
  }

  let scene: Scene
  var dice: Repeatable
  /// One of so many messages is lost, comes twice, or finds its member just begun anew; nil for none.
  var loss: Int?
  var copies: Int?
  var kills: Int?
  /// Members that lie: what each sends instead of an honest message; nil for nothing.
  var lies: [UInt32: (CosignMessage) -> CosignMessage?] = [:]
  private var letters: [Letter] = []
  /// Every part that a member sent, with the nonce and the signers that it was for.
  private(set) var transcript: [(member: UInt32, nonce: [UInt8], part: [UInt8])] = []

  init(_ scene: Scene, seed: UInt64) { (self.scene, dice) = (scene, Repeatable(seed: seed)) }

  mutating func post(_ message: CosignMessage, from: UInt32, to: Place) {
    let count = copies.map { dice.isOne(in: $0) } == true ? 2 : 1
    for _ in 0..<count where loss.map({ dice.isOne(in: $0) }) != true {
      letters.append(Letter(text: message.json(), from: from, to: to))
    }
  }

  /// Sends until it is over, at most so many rounds of reminders.
  mutating func run(_ round: inout CosignRound, coordinator: UInt32 = 0, reminders: Int = 60) throws {
    for number in 0..<scene.daemons.count { post(round.question, from: coordinator, to: .member(UInt32(number))) }
    for _ in 0...reminders {
      try deliver(&round, coordinator)
      guard case .running = round.outcome else { return }
      for (message, to) in try round.goOn() { post(message, from: coordinator, to: .member(to)) }
    }
  }

  private mutating func deliver(_ round: inout CosignRound, _ coordinator: UInt32) throws {
    while !letters.isEmpty {
      let letter = letters.remove(at: Int.random(in: 0..<letters.count, using: &dice))
      let message = try CosignMessage(parsing: letter.text)
      switch letter.to {
      case .coordinator:
        for (answer, to) in (try? round.receive(message, from: letter.from)) ?? [] {
          post(answer, from: coordinator, to: .member(to))
        }
      case .member(let number): try reach(scene.daemons[Int(number)], message, letter.from)
      }
    }
  }

  private mutating func reach(_ daemon: Daemon, _ message: CosignMessage, _ from: UInt32) throws {
    if kills.map({ dice.isOne(in: $0) }) == true { try daemon.beginAnew() }
    let number = daemon.member.number
    for action in (try? daemon.member.receive(message, from: from, now: 1500)) ?? [] {
      switch action {
      case .send(let answer, _): say(answer, number)
      case .decide(_, let request, let from):
        if case .send(let answer, _) = try daemon.member.approve(request, from: from) { say(answer, number) }
      }
    }
  }

  private mutating func say(_ message: CosignMessage, _ number: UInt32) {
    if case .part(let part, let nonce, _) = message.content { transcript.append((number, nonce.bytes, part.bytes)) }
    guard let lie = lies[number] else { return post(message, from: number, to: .coordinator) }
    if let said = lie(message) { post(said, from: number, to: .coordinator) }
  }

  /// Whether any member gave two different parts with one nonce, which tells its share.
  var usesANonceTwice: Bool {
    var parts: [[UInt8]: [UInt8]] = [:]
    return transcript.contains { entry in
      defer { parts[entry.nonce] = entry.part }
      return parts[entry.nonce].map { $0 != entry.part } ?? false
    }
  }
}

/// Why something was refused.
func error(_ body: () throws -> Void) -> CosignError? {
  do { try body() } catch { return error as? CosignError }
  return nil
}
