import Curve
import Encodings
import Testing

@testable import PushProxy

@Suite("Proxies that share a database divide the keys") struct LiveProxiesTests {
  private static let keys = (0..<3_000).map { number in
    PublicKey(Bytes32 { $0.storeBytes(of: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, as: UInt64.self) })
  }

  private func watchers(of key: PublicKey, among proxies: Set<Int64>) -> Set<Int64> {
    proxies.filter { LiveProxies(own: $0, others: proxies.subtracting([$0])).watches(key) }
  }

  @Test("Each key has two proxies, and each proxy about as many keys") func twoEach() {
    let proxies: Set<Int64> = [1, -2, 3, .max]
    var load: [Int64: Int] = [:]
    for key in Self.keys {
      let watchers = watchers(of: key, among: proxies)
      #expect(watchers.count == 2)
      for one in watchers { load[one, default: 0] += 1 }
    }
    #expect(load.values.allSatisfy { (1_350...1_650).contains($0) }, "\(load)")
  }

  @Test("When a proxy goes, only its keys find another, and the one that stays keeps them") func oneGoes() {
    for key in Self.keys {
      let before = watchers(of: key, among: [1, 2, 3, 4])
      let after = watchers(of: key, among: [1, 2, 3])
      #expect(before.subtracting([4]).isSubset(of: after))
    }
  }

  @Test("One or two proxies look after all keys", arguments: [[1], [1, 2]]) func few(_ proxies: [Int64]) {
    #expect(Self.keys.allSatisfy { watchers(of: $0, among: Set(proxies)).count == proxies.count })
  }

  @Test("Proxies that begin take no key from others before they have subscribed") func settling() {
    let stays = LiveProxies(own: 1, others: [2, 3, 4], settled: [1, 2])
    #expect(Self.keys.allSatisfy(stays.watches))
    let begins = LiveProxies(own: 3, others: [1, 2, 4], settled: [1, 2])
    let settled = LiveProxies(own: 1, others: [2, 3, 4], settled: [1, 2, 3, 4])
    for one in [begins, settled] { #expect((1_350...1_650).contains(Self.keys.count(where: one.watches))) }
  }

  @Test("The operator is told when another proxy comes or goes, and of nothing else") func news() {
    #expect(LiveProxies.news(of: [2, 3], after: [2, 3]) == nil)
    #expect(LiveProxies.news(of: [2], after: []) == "1 proxy shares the database with this one now. There are 2.")
    #expect(
      LiveProxies.news(of: [], after: [2, 3]) == "2 proxies that shared the database ended or say nothing. This proxy is alone.")
  }

  @Test("After the database was away, who has not come back still counts, and who has is what it says now") func joined() {
    let before = LiveProxies(own: 1, others: [2, 3], settled: [1, 2, 3])
    let now = LiveProxies(own: 1, others: [2, 4], settled: [4])
    #expect(now.joined(before) == LiveProxies(own: 1, others: [2, 3, 4], settled: [3, 4]))
  }
}
