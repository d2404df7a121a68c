import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import Platform
import RemoteSigning
import Testing

@testable import LocalApps
@testable import Signer

/// What callers see of a vault that they were not let in to: the same, whatever they name.
@Suite struct FirstUseTests {
  private enum Seen: Equatable {
    case waits, answered
    case fault(AppFault)
  }

  private let signer: Signer
  private let bob: Identity

  init() throws {
    signer = try Signer()
    try signer.operations.ask("identity/create", ["name": "bob"])
    bob = try #require(signer.core.identities.find("bob"))
  }

  private func desk(trust: TrustLevel? = nil) -> AppDesk {
    AppDesk(callers: Callers(signer.core, trust: trust), answers: LocalAnswers(), service: signer.service)
  }

  private static func site(_ name: String) -> LocalCaller {
    .site(CallingSite(user: 1, origin: WebOrigin("https://\(name)")!, extensionID: "x", browser: "/usr/bin/browser"))
  }

  private static func program(_ number: UInt8) -> LocalCaller {
    .program(CallingProgram(user: 1000, path: "/opt/notes", digest: Bytes32(filling: { $0[0] = number })))
  }

  private func ask(_ desk: AppDesk, _ caller: LocalCaller, _ request: AppRequest) -> Seen {
    let isAnswered = Locked(false)
    do throws(AppFault) {
      _ = try desk.ask(request, .fresh(), by: caller) { _ in isAnswered.withLock { $0 = true } }
    } catch { return .fault(error) }
    signer.settle()
    return isAnswered.withLock { $0 } ? .answered : .waits
  }

  /// Requests that name identities of the vault and others, by name and by key, in all ways.
  private var naming: [AppRequest] {
    get throws {
      let keys = [bob.publicKey.hex, bob.publicKey.npub, try signer.identity.publicKey.hex, try KeyPair.random().publicKey.hex]
      let named = (["main", "bob", "carol", ""] + keys).map { AppRequest(.getPublicKey, parameters: [], identity: $0) }
      let events = try (keys + ["bob", "carol"]).flatMap { author in
        try [1, 70_000].map { kind in
          try AppRequest(signing: Array(#"{"kind":\#(kind),"content":"","tags":[],"pubkey":"\#(author)"}"#.utf8), identity: nil)
        }
      }
      return named + events
    }
  }

  @Test("A caller that was not let in waits for the owner, whichever identity or author it names")
  func nothingIsToldOfWhatIsThere() throws {
    for request in try naming {
      let desk = desk()
      #expect(ask(desk, Self.site("a.example"), request) == .waits)
      #expect(signer.core.engine.pendingRequests.map(\.rule) == [.firstUse])
      let waiting = Set(signer.core.engine.pendingRequests.flatMap(\.replies).map(\.requestID))
      #expect(waiting.count == 1)
      for pairing in signer.core.engine.pairings where pairing.caller != nil { #expect(signer.core.expel(pairing.remoteSigner)) }
      #expect(signer.core.engine.pendingRequests.isEmpty)
    }
    signer.close()
  }

  @Test("While one request of it waits, a second one gets no place, whichever identity it names")
  func oneQuestionWhateverIsNamed() throws {
    let desk = desk()
    #expect(ask(desk, Self.program(1), AppRequest(.getPublicKey, parameters: [], identity: nil)) == .waits)
    for request in try naming {
      _ = ask(desk, Self.program(1), request)
      #expect(signer.core.engine.pendingRequests.count == 1 && signer.core.engine.pendingRequests[0].replies.count == 1)
    }
    signer.close()
  }

  @Test("While the signer is locked, it is told so, whichever identity it names and whatever it asked before")
  func lockedForAll() throws {
    let desk = desk()
    #expect(ask(desk, Self.program(1), AppRequest(.getPublicKey, parameters: [], identity: nil)) == .waits)
    signer.core.sessionLock.lock("test")
    for request in try naming { #expect(ask(desk, Self.program(1), request) == .fault(.lockedForNew)) }
    signer.close()
  }

  @Test("A logout for whatever identity is acknowledged, and takes nothing back") func logoutTellsNothing() throws {
    for name in ["bob", "carol", nil] {
      #expect(ask(desk(), Self.program(1), AppRequest(.logout, parameters: [], identity: name)) == .answered)
    }
    signer.close()
  }

  @Test("It may ask so many times an hour, and so may all names below one site together") func asksAreCounted() throws {
    let desk = desk()
    for number in 0..<FirstUseLimits.asksOfGroup {
      let name = number.isMultiple(of: 2) ? "bob" : "carol"
      _ = ask(desk, Self.site("n\(number % 5).a.example"), AppRequest(.getPublicKey, parameters: [], identity: name))
    }
    for name in ["bob", "carol"] {
      let seen = ask(desk, Self.site("other.a.example"), AppRequest(.getPublicKey, parameters: [], identity: name))
      #expect(seen == .fault(.tooManyRequests))
    }
    signer.close()
  }

  @Test("An approval of a request for an identity that is not there lets the caller in for the default one, and it gets an error")
  func anApprovalInVain() throws {
    let (desk, outcome) = (desk(), Locked<AppOutcome?>(nil))
    let event = Array(#"{"kind":1,"content":"x","tags":[],"pubkey":"\#(try KeyPair.random().publicKey.hex)"}"#.utf8)
    let request = try AppRequest(signing: event, identity: nil)
    _ = try desk.ask(request, .fresh(), by: Self.program(1)) { answer in outcome.withLock { $0 = answer } }
    signer.settle()
    let waiting = try #require(signer.core.engine.pendingRequests.first)
    let main = try signer.identity.publicKey
    #expect(waiting.isInVain && waiting.method == .getPublicKey && waiting.identity == main)
    let exchange = try #require(signer.core.engine.answerPending(waiting.name, approve: true, now: signer.now))
    let reply = try #require(signer.core.engine.perform(exchange, now: signer.now).replies.first?.local)
    #expect(desk.answers.deliver(reply))
    guard case .failure(.noSuchIdentity)? = outcome.withLock({ $0 }) else { throw UnexpectedAnswer() }
    signer.close()
  }

  private struct UnexpectedAnswer: Error {}

  @Test("A caller that was let in is told that an identity is not there") func theKnownAreTold() throws {
    let desk = desk(trust: .full)
    _ = ask(desk, Self.program(1), AppRequest(.getPublicKey, parameters: [], identity: nil))
    #expect(ask(desk, Self.program(1), AppRequest(.getPublicKey, parameters: [], identity: "carol")) == .fault(.noSuchIdentity))
    signer.close()
  }

  @Test("New programs may be trusted by a setting; sites and links are asked about all the same")
  func onlyProgramsAreTrustedUnseen() throws {
    let (callers, identity) = (Callers(signer.core, trust: .full), try signer.identity.publicKey)
    #expect(try callers.pairing(of: Self.program(1), for: identity).grant == Grant(trust: .full))
    #expect(try callers.pairing(of: Self.site("a.example"), for: identity).grant == .ofUnmet)
    let link = LocalCaller.link(CallingLink(user: 1, callback: "https://a.example")!)
    #expect(try callers.pairing(of: link, for: identity).grant == .ofUnmet)
    signer.close()
  }

  // MARK: what strangers make up without end

  private static func link(_ host: String) -> LocalCaller { .link(CallingLink(user: 1, callback: "https://\(host)")!) }

  private var plain: AppRequest { AppRequest(.getPublicKey, parameters: [], identity: nil) }

  @Test("While a question of a caller waits, nothing is made for what else it names, so that no time tells what is there")
  func nothingIsMadeMeanwhile() throws {
    let desk = desk()
    #expect(ask(desk, Self.program(1), plain) == .waits)
    let made = signer.core.engine.pairings.count
    for request in try naming where request.namesIdentity {
      #expect(ask(desk, Self.program(1), request) == .fault(.tooManyRequests))
      #expect(signer.core.engine.pairings.count == made)
    }
    #expect(ask(desk, Self.program(1), plain) == .waits, "the same question waits with the first one")
    #expect(signer.core.engine.pendingRequests.map(\.replies.count) == [2])
    signer.close()
  }

  @Test("Links take few places, so that sites and programs still ask, and few in an hour") func linksAreCountedTogether() throws {
    let desk = desk()
    for number in 0..<PendingRequest.maximumFirstUsesOfLinks {
      #expect(ask(desk, Self.link("n\(number).example"), plain) == .waits)
    }
    let made = signer.core.engine.pairings.count
    #expect(ask(desk, Self.link("more.example"), plain) == .fault(.tooManyLinks))
    #expect(signer.core.engine.pairings.count == made, "a link that cannot ask leaves nothing in the vault")
    #expect(ask(desk, Self.site("a.example"), plain) == .waits)
    #expect(ask(desk, Self.program(1), plain) == .waits)
    for number in PendingRequest.maximumFirstUsesOfLinks..<FirstUseLimits.asksOfLinks {
      expelLinks()
      #expect(ask(desk, Self.link("n\(number).example"), plain) == .waits)
    }
    expelLinks()
    #expect(ask(desk, Self.link("later.example"), plain) == .fault(.tooManyLinks))
    signer.close()
  }

  private func expelLinks() {
    for pairing in signer.core.engine.pairings where pairing.caller?.isLink ?? false { signer.core.expel(pairing.remoteSigner) }
  }

  @Test("Names that others make up do not give a caller its count back") func countsStay() {
    var limits = FirstUseLimits()
    func take(_ caller: LocalCaller, now: Int64 = 7_200) -> Bool { limits.begin(plain, of: caller, .free, now: now) }
    for _ in 0..<FirstUseLimits.asksOfGroup { #expect(take(Self.site("a.example"))) }
    for number in 1..<FirstUseLimits.mostGroups { #expect(take(Self.site("n\(number).example"))) }
    for number in 0..<FirstUseLimits.asksOfGroup { #expect(take(Self.site("further\(number).example"))) }
    #expect(!take(Self.site("one-too-many.example")) && take(Self.site("n1.example")), "further ones share one count")
    #expect(take(Self.program(1)), "programs are counted apart")
    #expect(!take(Self.site("a.example")) && !take(Self.site("a.example"), now: 10_799))
    #expect(take(Self.site("a.example"), now: 10_800), "the next hour begins")
  }

  @Test("Places for answers that a page makes up keep no program and no site from asking") func linksFillNothing() {
    var limits = FirstUseLimits()
    for number in 0..<2 * FirstUseLimits.mostGroups {
      _ = limits.begin(plain, of: Self.link("n\(number).example"), .free, now: 1)
    }
    #expect(
      limits.begin(plain, of: Self.site("a.example"), .free, now: 1) && limits.begin(plain, of: Self.program(1), .free, now: 1))
  }

  @Test("While a question of a caller begins to wait, another one is refused at once, and the same one may join it")
  func oneBegins() {
    var limits = FirstUseLimits()
    let other = AppRequest(.getPublicKey, parameters: [], identity: "bob")
    func begin(_ request: AppRequest) -> Bool { limits.begin(request, of: Self.program(1), .free, now: 1) }
    #expect(begin(plain) && begin(plain) && !begin(other))
    limits.end(Self.program(1))
    #expect(!begin(other))
    limits.end(Self.program(1))
    #expect(begin(other) && !begin(plain))
  }

  @Test("Under a setting that trusts new programs, revoked ones stay revoked, whatever else asks") func revokedStaysRevoked()
    throws
  {
    let (callers, identity) = (Callers(signer.core, trust: .full), try signer.identity.publicKey)
    let revoked = UInt8(0)...UInt8(Callers.mostUnmet)
    for number in revoked {
      #expect(signer.core.expel(try callers.pairing(of: Self.program(number), for: identity).remoteSigner))
    }
    for number in 0..<2 * Callers.mostUnmet {
      _ = try callers.pairing(of: Self.link("n\(number).example"), for: identity)
      _ = try callers.pairing(of: Self.program(UInt8(number) + revoked.upperBound + 1), for: identity)
    }
    for number in revoked { #expect(try callers.pairing(of: Self.program(number), for: identity).grant == .ofRevoked) }
    #expect(signer.core.engine.pairings.count { $0.caller?.program == nil } <= Callers.mostUnmet)
    signer.close()
  }

  @Test("Revoked programs are not forgotten either while new ones have to wait for the owner")
  func revokedStaysWithoutTheSetting()
    throws
  {
    let identity = try signer.identity.publicKey
    #expect(signer.core.expel(try Callers(signer.core, trust: .full).pairing(of: Self.program(0), for: identity).remoteSigner))
    let callers = Callers(signer.core, trust: nil)
    for number in 1...UInt8(2 * Callers.mostUnmet) { _ = try callers.pairing(of: Self.program(number), for: identity) }
    #expect(signer.core.engine.pairings.count == Callers.mostUnmet + 1)
    let again = try signer.reopened()
    #expect(try Callers(again.core, trust: .full).pairing(of: Self.program(0), for: identity).grant == .ofRevoked)
    again.close()
  }

  @Test("Under a setting that trusts new programs, a revoked one has to wait for whichever identity it names")
  func revokedForOneIdentity() throws {
    let (desk, main) = (desk(trust: .full), try signer.identity.publicKey)
    let callers = Callers(signer.core, trust: .full)
    #expect(signer.core.expel(try callers.pairing(of: Self.program(1), for: main).remoteSigner))
    #expect(ask(desk, Self.program(1), AppRequest(.getPublicKey, parameters: [], identity: "bob")) == .waits)
    #expect(try callers.pairing(of: Self.program(1), for: bob.publicKey).grant.isFirstUse)
    signer.close()
  }

  @Test("Under a setting that trusts new programs, a restricted one has to wait for every other identity")
  func restrictedForOneIdentity() throws {
    let (main, callers) = (try signer.identity.publicKey, Callers(signer.core, trust: .full))
    for (number, grant) in [Grant(trust: .low), Grant(trust: .full, isSuspended: true)].enumerated() {
      let caller = Self.program(UInt8(number))
      let pairing = try callers.pairing(of: caller, for: main)
      #expect(signer.core.engine.update(pairing.remoteSigner, name: pairing.name, grant: grant))
      #expect(try callers.pairing(of: caller, for: bob.publicKey).grant == .ofUnmet)
    }
    let trusted = Self.program(9)
    _ = try callers.pairing(of: trusted, for: main)
    #expect(try callers.pairing(of: trusted, for: bob.publicKey).grant == Grant(trust: .full))
    signer.close()
  }

  @Test("A program that was revoked or paused for an identity that is deleted stays known") func revokedForADeletedIdentity()
    throws
  {
    let callers = Callers(signer.core, trust: .full)
    let (revoked, paused) = (Self.program(1), Self.program(2))
    #expect(signer.core.expel(try callers.pairing(of: revoked, for: bob.publicKey).remoteSigner))
    let pairing = try callers.pairing(of: paused, for: bob.publicKey)
    let grant = Grant(trust: .full, isSuspended: true)
    #expect(signer.core.engine.update(pairing.remoteSigner, name: pairing.name, grant: grant))
    try signer.operations.ask("identity/delete", ["name": "bob"], secrets: ["passphrase": box(TestHome.passphrase)])
    let main = try signer.identity.publicKey
    for caller in [revoked, paused] { #expect(try callers.pairing(of: caller, for: main).grant == .ofRevoked) }
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.map(\.grant) == [.ofRevoked, .ofRevoked])
    again.close()
  }

  @Test("Under a setting that trusts new programs, one that logs out does not lose what the owner restricted")
  func logoutKeepsRestrictions() throws {
    let (desk, main) = (desk(trust: .full), try signer.identity.publicKey)
    let callers = Callers(signer.core, trust: .full)
    let pairing = try callers.pairing(of: Self.program(1), for: main)
    #expect(pairing.grant == Grant(trust: .full) && signer.core.expel(pairing.remoteSigner, by: .app))
    #expect(try callers.pairing(of: Self.program(1), for: main).grant == .ofUnmet)
    #expect(ask(desk, Self.program(1), plain) == .waits)
    let restricted = try callers.pairing(of: Self.program(2), for: main)
    #expect(signer.core.engine.update(restricted.remoteSigner, name: restricted.name, grant: Grant(trust: .low)))
    #expect(signer.core.expel(restricted.remoteSigner, by: .app))
    #expect(try callers.pairing(of: Self.program(2), for: main).grant == .ofRevoked, "it is not forgotten to make room")
    signer.close()
  }

  @Test("A first request may not be long, so that those that wait take little memory") func firstRequestsAreShort() throws {
    let desk = desk()
    func sign(_ bytes: Int) throws -> AppRequest {
      let content = String(repeating: "x", count: bytes)
      return try AppRequest(signing: Array(#"{"kind":1,"content":"\#(content)","tags":[]}"#.utf8), identity: nil)
    }
    #expect(ask(desk, Self.program(1), try sign(Callers.longestFirst)) == .fault(.tooLargeForFirst))
    #expect(signer.core.engine.pairings.isEmpty)
    #expect(ask(desk, Self.program(1), try sign(Callers.longestFirst - 100)) == .waits)
    signer.close()
  }

  @Test("The number of known programs is of those that were let in: revoking some makes room") func revokingMakesRoom() throws {
    let (callers, identity) = (Callers(signer.core, trust: .full), try signer.identity.publicKey)
    func many(_ number: Int) -> LocalCaller {
      .program(
        CallingProgram(
          user: 1, path: "/opt/n\(number)",
          digest: Bytes32(filling: { ($0[0], $0[1]) = (UInt8(number % 256), UInt8(number / 256)) })))
    }
    for number in 0..<Callers.most { _ = try callers.pairing(of: many(number), for: identity) }
    #expect(throws: AppFault.tooManyPrograms) { try callers.pairing(of: many(Callers.most), for: identity) }
    #expect(signer.core.expel(try callers.pairing(of: many(0), for: identity).remoteSigner))
    #expect(try callers.pairing(of: many(Callers.most), for: identity).grant == Grant(trust: .full))
    signer.close()
  }

  @Test("Links to a place have no name that the site there could have") func linksHaveNamesOfTheirOwn() throws {
    let (callers, identity) = (Callers(signer.core, trust: nil), try signer.identity.publicKey)
    #expect(try callers.pairing(of: Self.link("snort.social"), for: identity).name == "link:snort.social")
    #expect(try callers.pairing(of: Self.site("snort.social"), for: identity).name == "snort.social")
    signer.close()
  }
}
