package import Curve
import Platform
package import RemoteSigning

/// An event that observers want to know at once: the console, the desktop, a phone, or a command that watches.
package enum SignerEvent: Sendable {
  /// A request begins to wait for the owner.
  case requestWaits(PendingRequest)
  /// A request was refused because too many wait already.
  case requestRefused(remoteSigner: PublicKey)
  /// A request no longer waits. `approved` is nil when it ended without an answer.
  case requestEnded(name: String, approved: Bool?)
  /// Apps must be told that their requests have ended: see `OpenedHome.takeOwed`.
  case answersOwed
  /// Links, pairings or grants changed. Relays may need new subscriptions.
  case clientsChanged
  case identitiesChanged
  /// Pairings ended. The list of them next to the backups must be updated.
  case revocationsChanged
  /// The session was locked or unlocked.
  case lockChanged
  /// Something that `status` shows changed: a relay was connected or lost.
  case statusChanged
  /// Relays were asked for what a waiting request would replace.
  case publishedFound
  /// Console sessions or passkeys changed.
  case sessionsChanged
  /// Somebody used a link that an app has already used. Reported a few times an hour.
  case linkRefused
  /// Somebody requests a share, or a guardian allowed that: a share that is kept here for another person, or the owner's own one at a
  /// guardian. Reported a few times an hour for each source.
  case shareAsked(ShareAsked)
  /// Ten or more wrong credentials came in a row. Unlike an incident, this does not depend on how fast they came.
  case guessing
  /// Something is wrong. The log has the details.
  case incident(Incident)
}

/// The part of an incident that the owner is told at once.
package struct Incident: Sendable, Hashable {
  /// Critical means that everything was suspended; minor means that it was only counted.
  package enum Severity: String, Sendable { case minor, critical }

  package let severity: Severity
  /// One line of our own wording, never a stranger's text.
  package let text: String
  /// Milliseconds since 1970.
  package let time: Int64
  /// The owner's own lockdown: it does what a critical incident does, but is nothing to be warned of.
  package var isOwners = false
}

/// Delivers events to observers. They are called on the reporter's thread: they must pass the event on, not wait, and not take
/// the engine's lock.
package final class SignerEvents: Sendable {
  private struct Observer: Sendable { let hear: @Sendable (SignerEvent) -> Void }
  private struct Contents: Sendable {
    var observers: [Int: Observer] = [:]
    var next = 0
  }
  private let contents = Locked(Contents())

  /// - Returns: the number to pass to `unsubscribe`.
  @discardableResult
  package func subscribe(_ hear: @escaping @Sendable (SignerEvent) -> Void) -> Int {
    contents.withLock { contents in
      contents.next += 1
      contents.observers[contents.next] = Observer(hear: hear)
      return contents.next
    }
  }

  func unsubscribe(_ number: Int) { contents.withLock { $0.observers[number] = nil } }

  package func tell(_ signerEvent: SignerEvent) {
    for observer in contents.withLock({ Array($0.observers.values) }) { observer.hear(signerEvent) }
  }

  /// Forgets all observers: a home that was closed reports nothing any more, and nothing that an observer holds is kept alive.
  func close() { contents.withLock { $0.observers = [:] } }
}

/// Somebody requests a share of a recovery kit.
package struct ShareAsked: Sendable, Hashable {
  /// The request's name in commands.
  package let name: String
  package let kit: String
  /// Whether the share is kept here for another person. Otherwise it is the owner's own, at a guardian.
  package let isKeptHere: Bool
  /// Whether the guardian agreed to give it.
  package let isAllowed: Bool

  package init(name: String, kit: String, isKeptHere: Bool, isAllowed: Bool) {
    (self.name, self.kit, self.isKeptHere, self.isAllowed) = (name, kit, isKeptHere, isAllowed)
  }
}
