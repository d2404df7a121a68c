import RemoteSigning
import Testing

@testable import SigningLinks

@Suite struct CallbackTests {
  private static func callback(_ text: String) -> Result<Callback, LinkFault> {
    Result { () throws(LinkFault) in try Callback(text) { $0 == "myapp" } }
  }

  @Test(
    "The answer goes to a site over https, to this machine, or to an app that takes such links",
    arguments: [
      ("https://a.example/cb?x=1", "https://a.example"), ("HTTPS://A.example:443", "https://a.example"),
      ("https://a.example:8443/#f", "https://a.example:8443"), ("http://127.0.0.1:3000/cb", "http://127.0.0.1:3000"),
      ("http://localhost/cb", "http://localhost"), ("http://[::1]:80/", "http://[::1]"), ("myapp://signed", "myapp:"),
      ("MyApp:done", "myapp:"),
    ])
  func placesAreKnown(text: String, place: String) throws { #expect(try Self.callback(text).get().place == place) }

  @Test(
    "A callback that can run script, read files, reach another machine in clear or be read in two ways is refused",
    arguments: [
      "javascript:alert(1)", "JavaScript://a.example/%0aalert(1)", "data:text/html,x", "file:///etc/passwd",
      "blob:https://a.example/x",
      "vbscript:x", "about:blank", "view-source:https://a.example", "chrome://settings", "chrome-extension://abc/x",
      "moz-extension://x",
      "intent://x#Intent;end", "keyfob://sign", "holdfast://sign", "nostrsigner:x", "mailto:a@b", "ws://a.example",
      "ftp://a.example",
      "http://a.example/cb", "http://127.0.0.1.evil.example", "http://localhost.evil.example", "https://user@a.example",
      "https://a.example:99999", "https:a.example", "https:/a.example", "https:///a.example", "https://a.example\\@evil.example",
      "https://a.example\t", "https://b\u{fc}cher.example", "https://a .example", "//a.example", "a.example", "", "unknown:x",
      "https://",
      "https://a.example/\"><script>", "1app:x", "my_app:x", "https://%61.example",
      "https://a.example/%", "https://a.example/%0", "https://a.example/%0g", "https://2130706433", "https://0x7f.1",
      "https://127.1",
      "https://0177.0.0.1", "http://127.0.0.01", "https://1.2.3.4.5", "myapp://user@a.example", "myapp://u:p@a/x",
    ])
  func othersAreRefused(text: String) {
    guard case .success(let callback) = Self.callback(text) else { return }
    Issue.record("taken: \(callback)")
  }

  @Test(
    "A scheme of a browser, the system or another protocol is refused even if a program takes it",
    arguments: [
      "vnd.libreoffice.command:x", "ms-msdt:/id", "web+app:x", "microsoft-edge:x", "firefox:x", "xmpp:a", "bitcoin:x", "sip:x",
    ])
  func takenSchemesAreRefused(text: String) {
    #expect(throws: LinkFault.self) { try Callback(text) { _ in true } }
  }

  @Test("A callback has a limit") func itIsShort() {
    let long = "https://a.example/" + String(repeating: "x", count: Callback.longest)
    guard case .failure(let fault) = Self.callback(long) else {
      Issue.record("taken")
      return
    }
    #expect(fault.code == .tooLarge)
  }

  @Test(
    "Parameters are added behind those that are there, before the fragment",
    arguments: [
      ("https://a.example/cb", "https://a.example/cb?ok=1&m=a%20b%26c"),
      ("https://a.example/cb?x=1", "https://a.example/cb?x=1&ok=1&m=a%20b%26c"),
      ("https://a.example/cb?", "https://a.example/cb?ok=1&m=a%20b%26c"),
      ("https://a.example/cb?x=1&#top?", "https://a.example/cb?x=1&ok=1&m=a%20b%26c#top?"),
      ("https://a.example", "https://a.example?ok=1&m=a%20b%26c"),
    ])
  func parametersAreAdded(text: String, whole: String) throws {
    #expect(try Self.callback(text).get().adding([("ok", "1"), ("m", "a b&c")]) == whole)
  }
}
