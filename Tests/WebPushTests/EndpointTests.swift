import Encodings
import TestSupport
import Testing

@testable import WebPush

@Suite("Push endpoints")
struct EndpointTests {
  @Test(
    "Endpoint addresses are read",
    arguments: [
      ("https://push.example.net/a", "push.example.net", 443, "https://push.example.net"),
      ("https://push.example.net", "push.example.net", 443, "https://push.example.net"),
      ("https://PUSH.example.net:443/a?b=c:d", "push.example.net", 443, "https://push.example.net"),
      ("https://push.example.net:8443/a", "push.example.net", 8443, "https://push.example.net:8443"),
      ("https://127.0.0.1:9/", "127.0.0.1", 9, "https://127.0.0.1:9"), ("https://[::1]:9/x", "[::1]", 9, "https://[::1]:9"),
    ] as [(String, String, UInt16, String)])
  func readsAddresses(text: String, host: String, port: UInt16, origin: String) throws {
    let endpoint = try PushEndpoint(parsing: text)
    #expect(endpoint.text == text && endpoint.host == host && endpoint.port == port && endpoint.origin == origin)
  }

  @Test(
    "A malformed push address is refused",
    arguments: [
      ("", WebPushError.endpointNotHTTPS), ("http://a.example/", .endpointNotHTTPS), ("HTTPS://a.example/", .endpointNotHTTPS),
      ("file:///etc", .endpointNotHTTPS),
      ("https://", .endpointMalformed), ("https:///a", .endpointMalformed), ("https://a b/", .endpointMalformed),
      ("https://a.example:/", .endpointMalformed),
      ("https://a.example:0/", .endpointMalformed), ("https://a.example:65536/", .endpointMalformed),
      ("https://a.example:4x3/", .endpointMalformed),
      ("https://user@a.example/", .endpointMalformed), ("https://a.example@10.0.0.1/", .endpointMalformed),
      ("https://a.example/#x", .endpointMalformed),
      ("https://a.example\\@b/", .endpointMalformed), ("https://a.example/\r\nX: y", .endpointMalformed),
      ("https://a.example/é", .endpointMalformed),
      ("https://[::1/", .endpointMalformed), ("https://[::1]x/", .endpointMalformed),
      ("https://a.example?x=y", .endpointMalformed),
      ("https://" + String(repeating: "a", count: 256) + "/", .endpointMalformed),
      ("https://a/" + String(repeating: "a", count: 2048), .endpointTooLong(limit: 2048)),
    ])
  func refusesWhatIsNone(text: String, fault: WebPushError) {
    #expect(throws: fault) { try PushEndpoint(parsing: text) }
  }

  @Test(
    "Public IPv4 addresses are told apart from internal ones",
    arguments: [
      ([1, 1, 1, 1], true), ([8, 8, 8, 8], true), ([172, 15, 0, 1], true), ([172, 32, 0, 1], true), ([223, 255, 255, 255], true),
      ([100, 63, 0, 1], true), ([100, 128, 0, 1], true), ([0, 0, 0, 0], false), ([0, 1, 2, 3], false), ([10, 0, 0, 1], false),
      ([100, 64, 0, 1], false), ([100, 127, 255, 255], false), ([127, 0, 0, 1], false), ([127, 255, 255, 254], false),
      ([169, 254, 169, 254], false), ([172, 16, 0, 1], false), ([172, 31, 255, 255], false), ([192, 0, 0, 1], false),
      ([192, 0, 2, 1], false), ([192, 168, 1, 1], false), ([198, 18, 0, 1], false), ([198, 19, 255, 255], false),
      ([198, 51, 100, 1], false), ([203, 0, 113, 1], false), ([224, 0, 0, 1], false), ([240, 0, 0, 1], false),
      ([255, 255, 255, 255], false),
    ] as [([UInt8], Bool)])
  func knowsTheInternetOfIPv4(address: [UInt8], isPublic: Bool) {
    let zeros = [UInt8](repeating: 0, count: 10)
    #expect(PublicAddress.isPublic(zeros + [255, 255] + address) == isPublic)
    #expect(PublicAddress.isPublic([0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8) + address) == isPublic, "NAT64")
    #expect(PublicAddress.isPublic([0x20, 0x02] + address + zeros) == isPublic, "6to4")
    #expect(!PublicAddress.isPublic(zeros + [0, 0] + address), "compatible addresses are of the past")
    #expect(!PublicAddress.isPublic(address), "not 16 bytes")
  }

  @Test(
    "Public IPv6 addresses are told apart from internal ones",
    arguments: [
      ("2606:4700", "26064700", true), ("2a00::", "2a000000", true), ("3ffe::", "3ffe0000", true),
      ("2001:200::", "20010200", true),
      ("::", "00000000", false), ("fe80::", "fe800000", false), ("fec0::", "fec00000", false), ("fc00::", "fc000000", false),
      ("fd12::", "fd120000", false), ("ff02::", "ff020000", false), ("Teredo", "20010000", false),
      ("2001:db8::", "20010db8", false),
      ("3fff::", "3fff0000", false), ("64:ff9b:1::", "0064ff9b0001", false), ("4000::", "40000000", false),
      ("100::", "01000000", false),
    ])
  func knowsTheInternetOfIPv6(name: String, start: String, isPublic: Bool) {
    let start = bytes(start)
    #expect(PublicAddress.isPublic(start + [UInt8](repeating: 0, count: 15 - start.count) + [1]) == isPublic, "\(name)")
  }
}
