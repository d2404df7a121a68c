import RemoteSigning
import Testing

@Suite struct WebOriginTests {
  @Test(
    "Origins are taken as browsers write them",
    arguments: [
      "https://example.com", "http://example.com:8080", "https://xn--bcher-kva.example", "http://localhost:3000",
      "http://127.0.0.1",
      "https://[2001:db8::1]:8443", "https://a_b.example", "https://example.com:80",
    ])
  func originsAreTaken(text: String) { #expect(WebOrigin(text)?.text == text) }

  @Test(
    "An origin in another form is refused, so that one origin is never two callers",
    arguments: [
      "", "https://", "https://Example.com", "HTTPS://example.com", "https://example.com/", "https://example.com:443",
      "http://example.com:80", "https://example.com:0443", "https://example.com:0", "https://example.com:70000",
      "https://example.com:",
      "https://user@example.com", "https://example.com?x", "https://example.com#x", "https://bücher.example", "https://a..b",
      "https://.a", "https://a.", "https://[::1", "https://[xyz]", "ftp://example.com", "null", "file://", "https://a b",
      "https://a\u{202E}b", "https://" + String(repeating: "a", count: 300),
    ])
  func othersAreRefused(text: String) { #expect(WebOrigin(text) == nil) }

  @Test(
    "A page of this machine is known as such",
    arguments: [
      ("http://localhost", true), ("http://app.localhost:8080", true), ("http://127.3.4.5", true), ("http://[::1]:81", true),
      ("http://localhost.example.com", false), ("http://127.0.0.1.example.com", false), ("http://128.0.0.1", false),
      ("http://127.0.0.256", false),
    ])
  func loopbackIsKnown(text: String, isHere: Bool) { #expect(WebOrigin(text)?.isOnThisMachine == isHere) }
}
