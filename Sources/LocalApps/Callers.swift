import Curve
import Identities
import Platform
import RemoteSigning
import Signer

/// The programs on this machine that the signer knows, each as a pairing with one identity.
final class Callers: Sendable {
  /// The most programs that the owner has not let in yet. A further one takes the place of the one that last asked the longest time ago.
  static let mostUnmet = 32

  /// The most programs in all, each counted once for each identity.
  static let most = 512

  private let home: OpenedHome
  /// What a program gets that was not seen before. Nil to ask the owner at its first use.
  private let trust: TrustLevel?

  init(_ home: OpenedHome, trust: TrustLevel?) { (self.home, self.trust) = (home, trust) }

  /// The identity that a request is for.
  /// - Parameter name: a name or key; nil for the default one.
  func identity(_ name: String?) throws(AppFault) -> Identity {
    guard let identity = name.map({ home.identities.find($0) }) ?? home.identities.defaultIdentity else {
      throw AppFault(.noKey, name == nil ? "This vault has no identity yet." : "No identity has that name or key.")
    }
    return identity
  }

  /// The pairing of a program, made at its first request.
  /// - Throws: `.locked` when a new one cannot be stored, because the vault is locked.
  func pairing(of caller: LocalCaller, for identity: PublicKey) throws(AppFault) -> Pairing {
    if let known = home.engine.pairing(of: caller, for: identity) { return known }
    if home.isUnsure || home.sessionLock.isLocked { throw .lockedForNew }
    return try home.changingPairings { () throws(AppFault) in
      if let known = home.engine.pairing(of: caller, for: identity) { return known }
      return try meet(caller, identity)
    }
  }

  /// The identities that the program may know, each with the name that the owner gave it.
  func identities(of caller: LocalCaller) -> [Identity] {
    home.identities.all.filter { identity in
      home.engine.pairing(of: caller, for: identity.publicKey).map { !$0.grant.isFirstUse } ?? false
    }
  }

  private func meet(_ caller: LocalCaller, _ identity: PublicKey) throws(AppFault) -> Pairing {
    try makeRoom()
    let grant = trust.map { Grant(trust: $0) } ?? .ofUnmet
    guard let pairing = home.meet(caller, named: freeName(caller.name), identity: identity, grant: grant) else {
      throw .notStored
    }
    return pairing
  }

  /// Removes a program that was never let in, so that programs without end cannot fill the vault.
  private func makeRoom() throws(AppFault) {
    let programs = home.engine.pairings.filter { $0.caller != nil }
    guard programs.count < Self.most else { throw .tooManyPrograms }
    let unmet = programs.filter(\.grant.isFirstUse)
    guard unmet.count >= Self.mostUnmet else { return }
    let waiting = Set(home.engine.pendingRequests.map(\.remoteSigner))
    guard let oldest = unmet.filter({ !waiting.contains($0.remoteSigner) }).min(by: { $0.lastSeen < $1.lastSeen }) else {
      throw AppFault(.rateLimited, "Too many new programs are waiting for the signer's owner.")
    }
    guard home.makeRoom(insteadOf: oldest) else { throw .notStored }
  }

  /// The file's name, with a number where another app is called so.
  private func freeName(_ name: String) -> String {
    let taken = Set(home.engine.pairings.map(\.name))
    if !taken.contains(name) { return name }
    return (2...).lazy.map { "\(name) (\($0))" }.first { !taken.contains($0) } ?? name
  }
}

extension AppFault {
  static let tooManyPrograms = AppFault(
    .rateLimited, "The signer knows \(Callers.most) programs and takes no further one. Its owner can revoke some.")
  static let notStored = AppFault(.expired, "The signer could not record this; try again.")
  static let lockedForNew = AppFault(
    .locked, "The signer is locked, and this program is new to it. Ask again when it is unlocked.")
}
