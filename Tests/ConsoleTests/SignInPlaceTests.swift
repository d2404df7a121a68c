import Platform
import Sockets
import Testing

@testable import Console

/// Where failed sign-ins came from.
@Suite struct SignInPlaceTests {
  @Test(
    "A failed sign-in from another machine names its address",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8::1:2", "2001:db8::/64"),
      ("fd00:1:2:3:4::5", "fd00:1:2:3::/64"),
    ])
  func addresses(written: String, shown: String) throws {
    let address = try #require(NetworkAddress(parsing: written))
    #expect(SignInPlace(.network(address.network)) == .network(shown))
  }

  @Test("A failed sign-in on the signer's machine names another user, and no address") func usersHere() throws {
    let loopback = try #require(NetworkAddress(parsing: "127.0.0.1"))
    #expect(SignInPlace(.network(loopback)) == .thisMachine)
    #expect(SignInPlace(.processes(uid: geteuid(), group: 7)) == .thisMachine)
    #expect(SignInPlace(.processes(uid: geteuid() &+ 1, group: 7)) == .user(geteuid() &+ 1))
    #expect(SignInPlace(.unknown) == nil)
  }

  @Test("Failures that are reported together name a place only if all of them came from it") func together() throws {
    let peers = try ["192.0.2.7", "192.0.2.8"].map { Holder.network(try #require(NetworkAddress(parsing: $0))) }
    var limiter = SignInLimiter()
    func failed(_ peer: Holder, at steady: Int64) -> SignInLimiter.Failure {
      limiter.failed(peer, now: ConsoleTime(wall: 0, steady: steady))
    }
    for _ in 0..<SignInLimiter.toldAtOnce {
      #expect(failed(peers[0], at: 1_000_000) == .counted(toTell: .init(count: 1, peer: peers[0])))
    }
    #expect(failed(peers[0], at: 1_000_000) == .counted(toTell: nil))
    let later = 1_000_000 + SignInLimiter.tellingMilliseconds
    #expect(failed(peers[1], at: later) == .counted(toTell: .init(count: 2, peer: nil)))
    #expect(failed(peers[1], at: later) == .counted(toTell: .init(count: 1, peer: peers[1])))
  }
}
