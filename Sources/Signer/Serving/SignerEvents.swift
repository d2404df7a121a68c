internal import Platform
package import RemoteSigning

/// Something the owner's surfaces want to hear of at once: the console, the desktop, a phone, a command that watches.
package enum SignerEvent: Sendable {
  /// A request begins to wait for the owner.
  case requestWaits(PendingRequest)
  /// A request does not wait any more; whether it was approved, nil when it went without an answer.
  case requestEnded(name: String, approved: Bool?)
  /// Apps are to be told that what they asked has ended: `Core.takeOwed`.
  case answersOwed
  /// Links, pairings or grants changed: relays may have to be subscribed anew.
  case clientsChanged
  case identitiesChanged
  /// Pairings ended: the list of them beside the backups is to be brought up to date.
  case revocationsChanged
  /// The session was locked or unlocked.
  case lockChanged
  /// What `status` tells changed: a relay came or went.
  case statusChanged
  /// Console sessions or passkeys changed.
  case sessionsChanged
  /// Somebody came with a link that an app has used already. Told a few times an hour.
  case linkRefused
  /// Somebody asks for a share: one that is kept here for another, or the owner's own at a guardian. Told a few times an hour.
  case shareAsked(ShareAsked)
  /// Something is wrong; the log names it.
  case incident(Incident)
}

/// What went wrong, as far as the owner is told at once.
package struct Incident: Sendable, Hashable {
  /// Whether everything was shut, or it was only counted.
  package enum Severity: String, Sendable { case minor, critical }

  package let severity: Severity
  /// One line in our own words; never a stranger's text.
  package let text: String
  /// Milliseconds since 1970.
  package let time: Int64
}

/// Who hears of happenings. What is heard is told on the teller's thread: hand it on, do not wait, do not ask the engine's lock.
package final class SignerEvents: Sendable {
  private struct Ear: Sendable { let hear: @Sendable (SignerEvent) -> Void }
  private struct Contents: Sendable {
    var ears: [Int: Ear] = [:]
    var next = 0
  }
  private let contents = Locked(Contents())

  /// - Returns: the number to give to `unsubscribe`.
  @discardableResult
  package func subscribe(_ hear: @escaping @Sendable (SignerEvent) -> Void) -> Int {
    contents.withLock { contents in
      contents.next += 1
      contents.ears[contents.next] = Ear(hear: hear)
      return contents.next
    }
  }

  func unsubscribe(_ number: Int) { contents.withLock { $0.ears[number] = nil } }

  package func tell(_ signerEvent: SignerEvent) {
    for ear in contents.withLock({ Array($0.ears.values) }) { ear.hear(signerEvent) }
  }
}

/// That somebody asks for a share of a recovery kit.
package struct ShareAsked: Sendable, Hashable {
  /// The request's name in commands.
  package let name: String
  package let kit: String
  /// Whether the share is kept here for another; else it is the owner's own, at a guardian.
  package let isKeptHere: Bool

  package init(name: String, kit: String, isKeptHere: Bool) { (self.name, self.kit, self.isKeptHere) = (name, kit, isKeptHere) }
}
