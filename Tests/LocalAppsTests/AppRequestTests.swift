import Curve
import JSON
import RemoteSigning
import Testing

@testable import LocalApps

@Suite struct AppRequestTests {
  private static func read(_ text: String) -> Result<AppRequest, AppRequest.Unreadable> {
    Result { () throws(AppRequest.Unreadable) in try AppRequest(line: Array(text.utf8)) }
  }

  @Test("A request is read with its parameters in the order of NIP-46")
  func requestsAreRead() throws {
    let sign = try Self.read(
      #"{"v":1,"id":"a","method":"sign","params":{"event":{"kind":1,"content":"x","tags":[]},"identity":"work"}}"#
    ).get()
    #expect(sign.id == .string("a") && sign.method.method == .signEvent && sign.identity == "work")
    #expect(String(decoding: sign.parameters[0], as: UTF8.self) == #"{"kind":1,"content":"x","tags":[]}"#)
    let seal = try Self.read(#"{"v":1,"id":7,"method":"nip44Encrypt","params":{"plaintext":"t","pubkey":"k"}}"#).get()
    #expect(seal.id == .integer(7) && seal.parameters == [Array("k".utf8), Array("t".utf8)] && seal.identity == nil)
    #expect(try Self.read(#"{"v":1,"id":"1","method":"getPublicKey"}"#).get().parameters.isEmpty)
  }

  @Test("An event that names a key is signed by that identity, and a name in its place is none")
  func theEventsKeyNamesTheIdentity() throws {
    func request(_ pubkey: String, _ more: String = "") throws -> AppRequest {
      try Self.read(#"{"v":1,"id":1,"method":"sign","params":{"event":{"kind":1,"pubkey":"\#(pubkey)"}\#(more)}}"#).get()
    }
    let key = String(repeating: "ab", count: 32)
    let (byKey, byBoth, byName) = (try request(key), try request(key, #","identity":"bob""#), try request("bob"))
    #expect(byKey.author?.hex == key && byKey.identity == nil)
    #expect(byBoth.author == nil && byBoth.identity == "bob")
    #expect(byName.author == nil && byName.identity == nil)
  }

  @Test("A request says for which site or link it is made") func behalvesAreRead() throws {
    func behalf(_ value: String) throws -> Behalf? {
      try Self.read(#"{"v":1,"id":1,"method":"getPublicKey","for":\#(value)}"#).get().behalf
    }
    #expect(
      try behalf(#"{"origin":"https://a.example","extension":"abc"}"#)
        == .site(WebOrigin("https://a.example")!, extensionID: "abc"))
    #expect(try behalf(#"{"callback":"myapp:"}"#) == .link(callback: "myapp:"))
  }

  @Test("The parent of a process is read past a name that looks like the rest of the line") func parentsAreRead() {
    #expect(ProcessFacts.parent(stat: "42 (holdfast) S 41 42 42 0") == 41)
    #expect(ProcessFacts.parent(stat: "42 (a) S 1 (b) R 43 42") == 43)
    for odd in ["-02", "-1", "007", "+4"] { #expect(ProcessFacts.parent(stat: "42 (x) S \(odd) 1") == nil) }
    #expect(ProcessFacts.parent(stat: "42 (x") == nil && ProcessFacts.parent(stat: "42 (x) S") == nil)
  }

  @Test(
    "What is no request gets an error with its id, if it has one",
    arguments: [
      ("", "null", AnswerCode.invalid), ("[]", "null", .invalid), ("{", "null", .invalid), ("{}", "null", .unsupported),
      (#"{"v":2,"id":"1","method":"sign"}"#, #""1""#, .unsupported), (#"{"v":1,"method":"sign"}"#, "null", .invalid),
      (#"{"v":1,"id":{},"method":"sign"}"#, "null", .invalid), (#"{"v":1,"id":"1"}"#, #""1""#, .invalid),
      (#"{"v":1,"id":"1","method":"connect"}"#, #""1""#, .unsupported),
      (#"{"v":1,"id":"1","method":"sign","params":[]}"#, #""1""#, .invalid),
      (#"{"v":1,"id":"1","method":"sign","params":{"event":"text"}}"#, #""1""#, .invalid),
      (#"{"v":1,"id":"1","method":"nip44Decrypt","params":{"pubkey":"k"}}"#, #""1""#, .invalid),
      (#"{"v":1,"id":"1","method":"getPublicKey","for":"https://a.example"}"#, #""1""#, .invalid),
      (#"{"v":1,"id":"1","method":"getPublicKey","for":{"origin":"https://a.example"}}"#, #""1""#, .invalid),
      (#"{"v":1,"id":"1","method":"getPublicKey","for":{"origin":"https://A.example","extension":"x"}}"#, #""1""#, .invalid),
      (#"{"v":1,"id":"1","method":"getPublicKey","for":{"callback":"https://a.example/path"}}"#, #""1""#, .invalid),
    ])
  func othersGetAnError(text: String, id: String, code: AnswerCode) {
    guard case .failure(let unreadable) = Self.read(text) else {
      Issue.record("taken: \(text)")
      return
    }
    #expect(String(decoding: unreadable.id.serialized(), as: UTF8.self) == id && unreadable.fault.code == code)
  }

  @Test("An id that is too long is not sent back") func longIDsAreNotEchoed() {
    guard case .failure(let unreadable) = Self.read(#"{"v":1,"id":"\#(String(repeating: "x", count: 300))","method":"sign"}"#)
    else {
      Issue.record("taken")
      return
    }
    #expect(unreadable.id == .null)
  }

  @Test("A signed event comes back as an object, an error with its code") func answersAreObjects() throws {
    let sign = try Self.read(#"{"v":1,"id":"a","method":"sign","params":{"event":{"kind":1}}}"#).get()
    func answer(_ json: String) throws -> String {
      let answer = try JSONValue(parsing: Array(json.utf8))
      let outcome = AppAnswer.outcome(answer, of: sign.method, identities: .null)
      return String(decoding: AppAnswer.line(outcome, to: sign.id), as: UTF8.self)
    }
    #expect(try answer(#"{"id":"x","result":"{\"id\":\"00\"}"}"#) == #"{"id":"a","result":{"id":"00"}}"#)
    #expect(
      try answer(#"{"id":"x","result":null,"error":"user rejected"}"#)
        == #"{"id":"a","error":{"code":"denied","message":"user rejected"}}"#)
  }
}

@Suite struct ProcessFactsTests {
  @Test(
    "A systemd service is known, what a desktop or a person starts is none",
    arguments: [
      ("0::/system.slice/backup.service\n", "backup.service"),
      ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/notes.service\n", "notes.service"),
      ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.kde.konsole@4f.service\n", nil),
      ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope\n", nil),
      ("0::/user.slice/user-1000.slice/session-2.scope\n", nil), ("0::/\n", nil), ("", nil), ("1:cpu:/x.service\n", nil),
    ] as [(String, String?)])
  func services(cgroup: String, unit: String?) { #expect(ProcessFacts.unit(cgroup: cgroup) == unit) }

  @Test("A Flatpak's name is read from its own section, and must have the form of a name") func flatpaks() {
    #expect(ProcessFacts.flatpak("[Application]\nname=org.example.App\nruntime=x\n") == "org.example.App")
    #expect(ProcessFacts.flatpak("[Context]\nname=org.evil\n[Runtime]\nname=org.example.Platform\n") == "org.example.Platform")
    #expect(ProcessFacts.flatpak("[Application]\nname=a b\n") == nil && ProcessFacts.flatpak("name=x") == nil)
  }

  @Test("A Snap counts only if AppArmor enforces its label") func snaps() {
    #expect(ProcessFacts.snap("snap.firefox.firefox (enforce)\n") == "firefox")
    #expect(ProcessFacts.snap("snap.firefox.firefox (complain)\n") == nil && ProcessFacts.snap("unconfined\n") == nil)
    #expect(ProcessFacts.snap("snap.firefox (enforce)") == nil && ProcessFacts.snap("/usr/bin/snap.x.y (enforce)") == nil)
  }

  @Test("A file is on a disk if its mount is known and no other program serves it") func mounts() {
    let table = MountTable(
      """
      36 35 98:0 / / rw,noatime master:1 - ext4 /dev/root rw
      40 36 0:44 / /run/user/1000/doc rw - fuse.portal portal rw
      41 36 0:45 / /mnt\\040x rw shared:2 - nfs4 server:/ rw
      x
      """)
    #expect(table.isOnDisk(36) && !table.isOnDisk(40) && !table.isOnDisk(41) && !table.isOnDisk(99) && !table.isOnDisk(0))
  }

  @Test("A process of this test sees the same files as the test") func thisProcess() {
    #expect(ProcessFacts.sandbox(in: "/proc/self") == nil)
  }
}

@Suite struct BusRequestTests {
  @Test("A D-Bus call with an empty identity means the default identity, or the author that its event names") func identities()
    throws
  {
    #expect(try AppRequest(member: "GetPublicKey", texts: [""]).identity == nil)
    #expect(try AppRequest(member: "GetPublicKey", texts: ["work"]).identity == "work")
    let key = String(repeating: "ab", count: 32)
    let byEvent = try AppRequest(member: "SignEvent", texts: [#"{"kind":1,"pubkey":"\#(key)"}"#, ""])
    #expect(byEvent.identity == nil && byEvent.author?.hex == key)
    let byBoth = try AppRequest(member: "SignEvent", texts: [#"{"kind":1,"pubkey":"\#(key)"}"#, "work"])
    #expect(byBoth.identity == "work" && byBoth.author == nil)
  }

  @Test("The identity is no part of what is encrypted") func parameters() throws {
    let request = try AppRequest(member: "Nip44Encrypt", texts: ["key", "text", "work"])
    #expect(request.parameters == [Array("key".utf8), Array("text".utf8)])
  }

  @Test(
    "A call that the signer does not know is refused",
    arguments: [("Sign", 2), ("SignEvent", 1), ("GetPublicKey", 0), ("Nip44Encrypt", 2), ("ListIdentities", 1)])
  func unknown(member: String, texts: Int) {
    #expect(throws: AppFault.noMethod) { try AppRequest(member: member, texts: Array(repeating: "{}", count: texts)) }
  }

  @Test(
    "Codes are names of errors on the bus",
    arguments: zip(
      AnswerCode.allCases,
      [
        "Invalid", "TooLarge", "Denied", "Locked", "RateLimited", "NotAllowed", "NoKey", "Expired", "Unsupported",
      ]))
  func errors(code: AnswerCode, name: String) {
    #expect(BusContract.errorName(code) == "org.holdfast.Signer1.Error." + name)
  }
}

@Suite struct FrameTests {
  private static func read(_ text: String, identity: String? = nil) throws(AppRequest.Unreadable) -> Frame? {
    try Frame(Array(text.utf8), identity: identity)
  }

  @Test(
    "A request of the apps' socket is no message of NIP-46",
    arguments: [
      #"{"v":1,"id":"1","method":"getPublicKey"}"#, #"{"v":1,"id":"1","method":"ping","params":[]}"#,
      #"{"id":"1","method":"ping","params":{}}"#, #"{"id":"1","method":"ping"}"#, #"{"id":"1","params":[]}"#, "[]", "x", "",
    ])
  func others(text: String) throws { #expect(try Self.read(text) == nil) }

  @Test("What connect chose is the identity of what follows") func identities() throws {
    let connect = try #require(try Self.read(#"{"id":"1","method":"connect","params":["work","secret"]}"#))
    #expect(connect.chosen == Frame.Chosen(identity: "work"))
    #expect(
      try Self.read(#"{"id":"1","method":"connect","params":[""]}"#, identity: "work")?.chosen == Frame.Chosen(identity: nil))
    let next = try #require(try Self.read(#"{"id":"2","method":"get_public_key","params":[]}"#, identity: "work"))
    guard case .request(let request, nil) = next.asks else {
      Issue.record("not asked")
      return
    }
    #expect(request.identity == "work" && next.chosen == nil)
  }

  @Test(
    "A message that cannot be carried out is refused with its id",
    arguments: [
      #"{"id":"1","method":"nothing","params":[]}"#, #"{"id":"1","method":"sign_event","params":["x"]}"#,
      #"{"id":"1","method":"sign_event","params":[]}"#, #"{"id":"1","method":"nip44_decrypt","params":["a",{}]}"#,
    ])
  func refused(text: String) {
    let fault = #expect(throws: AppRequest.Unreadable.self) { try Self.read(text) }
    #expect(fault?.id == .string("1"))
  }

  @Test("A result is a text, an error has no result") func answers() {
    func line(_ outcome: AppOutcome) -> String { String(decoding: Frame.line(outcome, to: .integer(7)), as: UTF8.self) }
    #expect(line(.success(.object([.init("kind", .integer(1))]))) == #"{"id":7,"result":"{\"kind\":1}"}"#)
    #expect(line(.success(.string("ab"))) == #"{"id":7,"result":"ab"}"#)
    #expect(line(.failure(.noMethod)) == #"{"id":7,"result":null,"error":"The signer has no method of this name."}"#)
  }
}
