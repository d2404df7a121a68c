import Curve
import Identities
import Platform
import RemoteSigning
import Signer

/// What the end of a trial wipes.
package struct TrialLoss: Sendable, Equatable {
  /// The trial's folder.
  package let home: String
  /// The names of its identities.
  package let identities: [String]
  /// How many apps are paired.
  package let apps: Int

  package init(home: String, identities: [String], apps: Int) {
    (self.home, self.identities, self.apps) = (home, identities, apps)
  }

  /// - Parameter untouched: the identity that the start made.
  /// - Returns: nil for a trial that nobody used, and for one that can no longer be kept.
  init?(_ home: OpenedHome, untouched: PublicKey?) {
    guard home.isTrial, !home.sessionLock.isSuspended else { return nil }
    let (identities, apps) = (home.identities.all, home.engine.pairings.count)
    guard apps > 0 || identities.contains(where: { $0.publicKey != untouched }) else { return nil }
    self.init(home: home.folder.path, identities: identities.map(\.name), apps: apps)
  }
}

/// Asks a person a second time before the end of a trial wipes what is in it.
struct TrialEnding {
  private let home: OpenedHome
  private let untouched: PublicKey?
  private let tell: (@Sendable (TrialLoss) -> Void)?
  private var told: TrialLoss?

  init(_ home: OpenedHome, tell: (@Sendable (TrialLoss) -> Void)?) {
    (self.home, self.tell) = (home, tell)
    untouched = home.identities.all.count == 1 ? home.identities.all[0].publicKey : nil
  }

  /// Whether a signal ends the signer. The first Ctrl-C warns if something would be lost, and so does one after that has changed.
  mutating func ends(by signal: Int32) -> Bool {
    guard signal == SIGINT, let tell, let loss = TrialLoss(home, untouched: untouched), loss != told else { return true }
    told = loss
    tell(loss)
    return false
  }
}
