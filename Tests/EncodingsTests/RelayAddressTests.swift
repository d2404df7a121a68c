import Encodings
import TestSupport
import Testing

@Suite("Relay addresses")
struct RelayAddressTests {
  @Test(
    "All spellings of one relay's address have the same normal form",
    arguments: [
      ("ws://127.0.0.1:24133/relay", "ws://127.0.0.1:24133/relay/"), ("wss://relay.example", "WSS://Relay.EXAMPLE/"),
      ("wss://relay.example", "wss://relay.example:443/"), ("wss://relay.example", "wss://relay.example:0443"),
      ("wss://relay.example", "wss://relay.example:"), ("wss://relay.example", "wss://relay.example."),
      ("ws://relay.example/a", "ws://relay.example:80/a//"), ("ws://[::1]:7777/x", "ws://[::1]:7777/x/"),
      ("ws://[fe80::A]/x", "WS://[FE80::a]:80/x/"), ("wss://r/~me/a", "wss://r/%7eme/%61"), ("wss://r/a%2fb", "wss://r/a%2Fb/"),
      ("wss://r/?a=b", "wss://r?a=b"), ("wss://r/x?a=b", "wss://r/x/?a=b/"), ("wss://r/x?a=%2d", "wss://r/x?a=-"),
      ("wss://r/100%", "wss://r/100%25"), ("ws://[::1]/x", "ws://[0:0::0:1]/x"), ("ws://[::1]", "ws://[0:0:0:0:0:0:0.0.0.1]"),
      ("ws://[1::2:0:0:3]", "ws://[1:0:0:0:2:0:0:3]"), ("ws://[1:0:2:3:4:5:6:7]", "ws://[01:0000:2:3:4:5:6:7]"),
      ("ws://1.2.3.4:81", "ws://[::FFFF:102:304]:81"),
    ])
  func writesAlike(one: String, other: String) throws {
    let normal = try #require(RelayAddress.normal(one))
    #expect(RelayAddress.normal(other) == normal)
    #expect(RelayAddress.normal(normal) == normal, "what is normal stays as it is")
  }

  @Test(
    "All numeric forms of one IP address have the same normal form",
    arguments: [
      "127.1", "127.0.1", "127.0.0.1.", "0x7f000001", "0X7F.1", "2130706433", "017700000001", "0177.0.0.01", "127.0x0.0.0x1",
      "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]",
    ])
  func numbersAreOneAddress(host: String) throws {
    for tail in ["", "/relay", ":7777/relay"] {
      #expect(RelayAddress.normal("ws://\(host)\(tail)") == "ws://127.0.0.1\(tail)")
    }
  }

  @Test(
    "Addresses of different relays have different normal forms",
    arguments: [
      ("ws://r.example", "wss://r.example"), ("wss://r.example", "wss://r.example:80"), ("ws://r.example", "ws://r.example:443"),
      ("wss://r/a", "wss://r/A"), ("wss://r/a%2Fb", "wss://r/a/b"), ("wss://r/a", "wss://r/b"), ("wss://r/a", "wss://r"),
      ("wss://r/a?x=1", "wss://r/a?x=2"), ("wss://r/a?x", "wss://r/a"), ("wss://r/a%20b", "wss://r/a%2520b"),
      ("wss://a.b", "wss://a.b.c"), ("ws://[::1]:1", "ws://[::1]:2"), ("ws://127.0.0.1", "ws://127.0.0.2"),
      ("ws://[::1]", "ws://[::2]"), ("ws://[1::]", "ws://[::1]"), ("ws://127.0.0.1", "ws://[::7f00:1]"),
      ("wss://0x7g", "wss://127.0.0.1"),
      ("wss://1.a", "wss://1.0.0.10"),
    ])
  func writesApart(one: String, other: String) throws {
    #expect(try #require(RelayAddress.normal(one)) != #require(RelayAddress.normal(other)))
  }

  @Test(
    "An invalid relay address has no normal form",
    arguments: [
      "", "wss://", "wss:///a", "https://r.example", "r.example", "wss//r", "wss://user@r.example", "wss://r.example/#top",
      "wss://r .example", "wss://r.example\n", "wss://r\\evil", "wss://r.example:65536", "wss://r.example:0", "wss://r:8a",
      "wss://r:080000", "wss://[::1", "wss://[::1]x", "wss://:80", "wss://.", "wss://r..", "wss://é.example", "wss://r/\"",
      "wss://1.2.3.4.5", "wss://256.1", "wss://1.2.3.256", "wss://1.16777216", "wss://4294967296", "wss://08.1", "wss://a.1",
      "wss://1..1", "wss://.1", "wss://a.0x", "wss://99999999999999999999999999", "wss://0xfffffffffffffffffff", "wss://[]",
      "wss://[1:2:3:4:5:6:7]", "wss://[1:2:3:4:5:6:7:8:9]", "wss://[1:2:3:4:5:6:7::8]", "wss://[::1::2]", "wss://[:::]",
      "wss://[12345::]", "wss://[+1::]", "wss://[1.2.3.4::]", "wss://[::1.2.3]", "wss://[::01.2.3.4]", "wss://[::1.2.3.256]",
      "wss://a[b", "wss://a]", "wss://a<b", "wss://a|b", "wss://a^b", "wss://[v1.a]",
      "wss://r%2eexample", "wss://%72.example/a", "wss://[fe80::1%25eth0]", "wss://r%",
      "wss://r/" + String(repeating: "a", count: RelayAddress.maximumLength),
    ])
  func refuses(text: String) { #expect(RelayAddress.normal(text) == nil) }

  @Test("Arbitrary bytes never crash the parser, and a normal form is its own normal form")
  func survivesAnyBytes() {
    let seed: UInt64 = 24133
    var random = Repeatable(seed: seed)
    let alphabet = Array("ws:/[]@?#%.41aA2f0x-~ é".utf8)
    for _ in 0..<20_000 {
      let tail = (0..<Int.random(in: 0..<24, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
      guard let normal = RelayAddress.normal("wss://" + String(decoding: tail, as: UTF8.self)) else { continue }
      #expect(RelayAddress.normal(normal) == normal, "seed \(seed)")
    }
  }
}
