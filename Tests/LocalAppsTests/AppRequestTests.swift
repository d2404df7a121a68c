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

  @Test("An event that names a key is signed by that identity")
  func theEventsKeyNamesTheIdentity() throws {
    #expect(
      try Self.read(#"{"v":1,"id":1,"method":"sign","params":{"event":{"kind":1,"pubkey":"abc"}}}"#).get().identity == "abc")
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
      return String(decoding: AppAnswer.of(answer, to: sign.reply, identities: .null), as: UTF8.self)
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
