import Curve
import Identities
import Platform
import RemoteSigning
import Signer

/// The programs on this machine that the signer knows, each as a pairing with one identity.
final class Callers: Sendable {
  /// The most programs that the owner has not let in yet, and as many sites and links. A further one takes the place of the one that last
  /// asked the longest time ago.
  static let mostUnmet = 32

  /// The most programs, sites and links that were let in, each counted once for each identity.
  static let most = 512
  /// The most programs that are remembered because they were revoked, or restricted and logged out. With so many, the owner is asked about
  /// every new program.
  static let mostRevoked = 1_024
  /// The most bytes of what one that was not let in asks: enough for any note or article. All that may wait take 4 MiB then.
  static let longestFirst = 256 << 10

  private let home: OpenedHome
  /// What a program gets that was not seen before. Nil to ask the owner at its first use. The owner is always
  /// asked about sites and links, because anybody can put up a page.
  private let trust: TrustLevel?
  private let asksOfUnmet = Locked(FirstUseLimits())

  init(_ home: OpenedHome, trust: TrustLevel?) { (self.home, self.trust) = (home, trust) }

  /// The identity that a request is for. Nil when the vault has none of that name or key.
  func identity(of request: AppRequest) -> Identity? {
    if let name = request.identity { return home.identities.find(name) }
    guard let author = request.author else { return home.identities.defaultIdentity }
    return home.identities.all.first { $0.publicKey == author }
  }

  /// Whether another key has replaced the identity's.
  func isRetired(_ identity: Identity) -> Bool { home.engine.isRetired(identity.publicKey) }

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

  /// Whether the owner has let the program in for an identity.
  func isLetIn(_ caller: LocalCaller, for identity: PublicKey) -> Bool {
    home.engine.pairing(of: caller, for: identity).map { !$0.grant.isFirstUse } ?? false
  }

  /// The identities that the program may know, each with the name that the owner gave it.
  func identities(of caller: LocalCaller) -> [Identity] {
    home.identities.all.filter { isLetIn(caller, for: $0.publicKey) }
  }

  /// Counts a request of a caller for an identity that it was not let in for, or that the vault does not have. Call it before anything is
  /// looked up, so that its answer says nothing of the vault.
  func mayAskFirst(_ caller: LocalCaller, _ request: AppRequest) throws(AppFault) {
    if home.isUnsure || home.sessionLock.isLocked { throw .lockedForNew }
    guard home.identities.defaultIdentity != nil else { throw .noIdentity }
    let isAsked = trustUnseen(caller) == nil
    guard !isAsked || request.weight <= Self.longestFirst else { throw .tooLargeForFirst }
    let place = isAsked ? home.engine.firstUsePlace(of: caller) : nil
    let isWithin = asksOfUnmet.withLock { $0.begin(request, of: caller, place, now: Clock.seconds) }
    guard isWithin else { throw caller.isLink ? .tooManyLinks : .tooManyRequests }
  }

  /// Call it once for each `mayAskFirst` that let a request pass, when that waits or was refused.
  func hasAskedFirst(_ caller: LocalCaller) { asksOfUnmet.withLock { $0.end(caller) } }

  /// What the setting for new programs gives a caller. Nil for sites and links, and for a program of which the owner knows: for any identity
  /// it was revoked, restricted or given more, logged out, or waits. Nil for all, too, once too many are to be remembered.
  private func trustUnseen(_ caller: LocalCaller) -> TrustLevel? {
    guard let trust, caller.program != nil else { return nil }
    let callers = home.engine.pairings.filter { $0.caller != nil }
    guard callers.allSatisfy({ $0.caller != caller || $0.grant == Grant(trust: trust) }) else { return nil }
    return callers.count(where: \.grant.isRevoked) < Self.mostRevoked ? trust : nil
  }

  /// The identity that the owner is asked about when a caller names one that the vault does not have.
  /// - Throws: `.noSuchIdentity` when the caller was let in for that one: the owner is not to be asked for nothing.
  func instead(of caller: LocalCaller) throws(AppFault) -> Identity {
    guard
      let identity = ([home.identities.defaultIdentity] + home.identities.all).lazy.compactMap({ $0 }).first(where: {
        !isRetired($0)
      })
    else { throw .noIdentity }
    guard !isLetIn(caller, for: identity.publicKey) else { throw .noSuchIdentity }
    return identity
  }

  private func meet(_ caller: LocalCaller, _ identity: PublicKey) throws(AppFault) -> Pairing {
    try makeRoom(for: caller)
    let grant = trustUnseen(caller).map { Grant(trust: $0) } ?? .ofUnmet
    guard let pairing = home.meet(caller, named: freeName(caller.name), identity: identity, grant: grant) else {
      throw .notStored
    }
    return pairing
  }

  /// Removes a caller that was not let in, so that callers without end cannot fill the vault. One that the owner revoked stays.
  private func makeRoom(for caller: LocalCaller) throws(AppFault) {
    let callers = home.engine.pairings.filter { $0.caller != nil }
    guard callers.count(where: { !$0.grant.isFirstUse }) < Self.most else { throw .tooManyPrograms }
    // Pages, which can open links without end, take no place of programs.
    let isProgram = caller.program != nil
    let unmet = callers.filter { $0.grant.isFirstUse && !$0.grant.isRevoked && ($0.caller?.program != nil) == isProgram }
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
  static let noIdentity = AppFault(.noKey, "This vault has no identity yet.")
  static let noSuchIdentity = AppFault(.noKey, "No identity has that name or key.")
  static let tooManyLinks = AppFault(
    .rateLimited, "Too many links ask for the first time. The signer takes no further one for now.")
  static let tooManyRequests = AppFault(.rateLimited, "The signer takes no more requests of this program for now.")
  static let tooLargeForFirst = AppFault(
    .tooLarge, "The first request may have \(Callers.longestFirst >> 10) KiB. Ask for the public key first, to be let in.")
  static let notStored = AppFault(.expired, "The signer could not record this; try again.")
  static let lockedForNew = AppFault(
    .locked, "The signer is locked, and this program is new to it. Ask again when it is unlocked.")
}
