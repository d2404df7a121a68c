import Curve
import Encodings
import Testing

@testable import RemoteSigning

@Suite struct LocalCallerTests {
  private static func caller(_ path: String, sandbox: String? = nil) -> CallingProgram {
    CallingProgram(user: 1000, path: path, digest: Bytes32(), unit: "x.service", sandbox: sandbox)
  }

  private static func site(_ origin: String) -> CallingSite {
    CallingSite(user: 1000, origin: WebOrigin(origin)!, extensionID: "abc", browser: "/usr/bin/browser")
  }

  @Test("A site is called by its host, links by where their answers go") func sitesAndLinksHaveNames() {
    #expect(LocalCaller.site(Self.site("https://notes.example:8443")).name == "notes.example")
    #expect(LocalCaller.link(CallingLink(user: 1, callback: "https://a.example")!).name == "link:a.example")
    #expect(LocalCaller.link(CallingLink(user: 1, callback: "myapp:")!).name == "link:myapp")
  }

  @Test("A long host is cut at its beginning, which is marked, because its end says whose it is")
  func longHosts() {
    let host = "snort.social.sign-in-with-your-nostr-extension.session-20251128a.evil.example"
    for (name, beginning) in [
      (LocalCaller.site(Self.site("https://\(host)")).name, "…"),
      (LocalCaller.link(CallingLink(user: 1, callback: "https://\(host)")!).name, "link:…"),
    ] {
      #expect(name.hasPrefix(beginning) && name.hasSuffix(".evil.example") && name.utf8.count == 64)
    }
    #expect(
      CallerName.ending(host, limit: 48).hasSuffix(".evil.example") && CallerName.ending("a.example", limit: 48) == "a.example")
  }

  @Test("Names below one site are one group, and so are addresses of one network; programs and browsers are each their own")
  func groups() {
    func group(_ origin: String) -> AskerGroup { LocalCaller.site(Self.site(origin)).group }
    #expect(
      group("https://a.b.example") == group("http://c.d.b.example:81")
        && group("https://b.example") == group("https://a.b.example"))
    #expect(group("https://a.example") != group("https://b.example"))
    #expect(group("http://127.0.0.1") != group("http://10.0.0.1") && group("http://10.0.0.1") == group("http://10.0.0.9:81"))
    #expect(group("http://[2001:db8::1]") == group("https://[2001:db8::ffff:2]"))
    #expect(group("http://[2001:db8::1]") == group("http://[2001:db8:0:1::1]"))
    #expect(group("http://[2001:db8::1]") != group("http://[2001:db8:1::1]"))
    #expect(LocalCaller.link(CallingLink(user: 1, callback: "https://x.b.example")!).group != group("https://a.b.example"))
    #expect(LocalCaller.program(Self.caller("/a")).group != LocalCaller.program(Self.caller("/b")).group)
  }

  @Test("The same site in another browser, or by another extension, is another caller") func browsersAreTold() {
    let site = Self.site("https://a.example")
    let other = CallingSite(user: 1000, origin: site.origin, extensionID: "abc", browser: "/tmp/browser")
    let third = CallingSite(user: 1000, origin: site.origin, extensionID: "abd", browser: site.browser)
    #expect(LocalCaller.site(site) != .site(other) && LocalCaller.site(site) != .site(third))
  }

  @Test(
    "What is neither an origin nor a scheme is no place for the answers of links",
    arguments: [
      "", ":", "1a:", "MyApp:", "my app:", "my/app:", "https://A.example", "ä:", String(repeating: "a", count: 66) + ":",
    ])
  func otherCallbacksAreRefused(callback: String) { #expect(CallingLink(user: 1, callback: callback) == nil) }

  @Test("A program is called by its package, else by its file, without characters that deceive")
  func itHasAName() {
    #expect(Self.caller("/usr/bin/notes").name == "notes")
    #expect(Self.caller("/app/bin/x", sandbox: "flatpak:org.example.App").name == "org.example.App")
    #expect(Self.caller("/tmp/\u{202E}evil\u{1B}[2J").name == "evil[2J")
    #expect(Self.caller("/").name == "program 00000000")
    #expect(Self.caller("/" + String(repeating: "a", count: 4000)).name.utf8.count == 64)
  }

  @Test(
    "What runs any script is known as such",
    arguments: [
      ("/usr/bin/python3.11", true), ("/usr/bin/node", true), ("/bin/bash", true), ("/usr/bin/perl5.36.0", true),
      ("/usr/bin/nodejs-notes", false), ("/usr/bin/notes", false), ("/usr/bin/shutter", false),
    ])
  func interpretersAreKnown(path: String, isInterpreter: Bool) { #expect(Self.caller(path).isInterpreter == isInterpreter) }

  @Test(
    "A pairing without a relay reads back from storage as it was",
    arguments: [
      LocalCaller.program(Self.caller("/opt/a \"b\"/c", sandbox: "snap:x")), .site(Self.site("https://a.example:8443")),
      .link(CallingLink(user: 7, callback: "myapp:")!), .link(CallingLink(user: 7, callback: "http://[::1]:81")!),
    ])
  func aStoredPairingIsTheSame(caller: LocalCaller) throws {
    var grant = Grant(trust: .medium)
    grant.isFirstUse = true
    let (signer, client, identity) = (try KeyPair.random(), try KeyPair.random(), try KeyPair.random())
    let pairing = SigningEngine().offer(
      caller, named: "c", identity: identity.publicKey, grant: grant,
      remoteSigner: signer.publicKey, client: client.publicKey, now: 5
    ).pairing
    #expect(try Pairing(record: pairing.record) == pairing)
  }

  @Test("A pairing whose program cannot be read is refused, not taken for an app's")
  func aDamagedCallerIsRefused() throws {
    let identity = try KeyPair.random().publicKey
    let pairing = SigningEngine().offer(
      .program(Self.caller("/a")), named: "a", identity: identity, grant: Grant(trust: .low), remoteSigner: identity,
      client: identity,
      now: 5
    ).pairing
    let text = String(decoding: pairing.record, as: UTF8.self).replacing(#""user":1000"#, with: #""user":-1"#)
    #expect(throws: RecordError.field("user")) { try Pairing(record: Array(text.utf8)) }
  }
}
