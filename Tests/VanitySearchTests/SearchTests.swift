import Curve
import Nostr
import SecretMemory
import Testing

@testable import VanitySearch

struct SearchTests {
  @Test("A found key has the pattern and can sign", arguments: ["npub1q", "npub1vw", "ab", "7"])
  func whatIsFoundHasThePattern(prefix: String) throws {
    let pattern = try VanityPattern(prefix: prefix)
    let search = try VanitySearch(for: pattern, threads: 2)
    defer { search.stop() }
    while try !search.wait(milliseconds: 1000) {}
    let key = try #require(try search.key())
    let text = prefix.hasPrefix("npub1") ? key.publicKey.npub : key.publicKey.hex
    #expect(text.hasPrefix(prefix))
    // The secret belongs to it, by libsecp256k1's word.
    #expect(try KeyPair(key.secretKey()).publicKey == key.publicKey)
    let digest = key.publicKey.bytes
    #expect(try Schnorr.isValid(key.sign(digest), of: digest, by: key.publicKey))
  }

  @Test("A key with a wanted ending is found") func aSuffixIsFound() throws {
    let search = try VanitySearch(for: VanityPattern(prefix: "a", suffix: "f"), threads: 1)
    while try !search.wait(milliseconds: 1000) {}
    let hex = try #require(try search.key()).publicKey.hex
    #expect(hex.hasPrefix("a") && hex.hasSuffix("f"))
  }

  @Test("Stopping a search ends all threads and leaves no key") func stoppingEndsAllThreadsAndLeavesNoKey() throws {
    let search = try VanitySearch(for: VanityPattern(prefix: "npub1qqqqqqqqqqqq"), threads: 3)
    #expect(try !search.wait(milliseconds: 1))
    search.stop()
    let tried = search.tried
    #expect(try search.wait(milliseconds: 0))
    #expect(try search.key() == nil)
    #expect(search.tried == tried)
    search.stop()  // twice is no harm
  }

  @Test("Every search starts at another key") func everyRunStartsElsewhere() throws {
    let pattern = try VanityPattern(prefix: "0")
    let keys = try (0..<4).map { _ in
      let search = try VanitySearch(for: pattern, threads: 1)
      while try !search.wait(milliseconds: 1000) {}
      return try #require(try search.key()).publicKey
    }
    #expect(Set(keys).count == keys.count)
  }
}
