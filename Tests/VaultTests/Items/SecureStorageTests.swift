import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct SecureStorageTests {
  @Test func existenceIsKnownWhileLocked() throws {
    let test = try TestStore()
    let storage = try SecureStorage<SecretBytes>(in: test.store, service: "s")
    try storage.save(secret("x"), as: "a")
    test.vault.lock()
    #expect(try storage.exists("a") && !storage.exists("b"))
    #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try storage.load("a") }
  }

  /// A save that is refused because of a lock, a full disk or its coding leaves the old value.
  @Test func aSaveThatFailsLosesNothing() throws {
    let test = try TestStore()
    let storage = try SecureStorage<SecretBytes>(in: test.store, service: "s")
    try storage.save(secret("old"), as: "a")
    test.vault.lock()
    #expect(throws: KeyStoreError.interactionNotAllowed) { try storage.save(secret("new"), as: "a") }
    try test.unlock()
    let long = try SecretBytes(randomCount: KeyStore.maximumValue + 1)
    #expect(throws: KeyStoreError.vault(.tooLong(limit: KeyStore.maximumValue))) { try storage.save(long, as: "a") }
    #expect(try storage.load("a").array() == Array("old".utf8))
  }

  @Test func fieldsComeBackAsTheyWereWhateverTheyHold() throws {
    var fields = SecretFields()
    let texts = ["plain", "quote \" and \\", "line\nbreak\u{1}", "ünïcode 🔑", String(repeating: "long", count: 500)]
    for (index, text) in texts.enumerated() { try fields.set("f\(index)", text: text) }
    try fields.set("gone", text: "x")
    try fields.set("gone", text: "")
    let bytes = try fields.secretBytes()
    let again = try SecretFields(secretBytes: bytes)
    for (index, text) in texts.enumerated() { #expect(again.text("f\(index)") == text) }
    #expect(again["gone"] == nil)
    #expect(try String(decoding: SecretFields().secretBytes().array(), as: UTF8.self) == "{}")
  }

  @Test(arguments: ["", "[]", "{", #"{"a":1}"#, #"{"a":"b","a":"c"}"#, #"{"a":"b"} x"#, "\u{0}", #"{"a":"\ud800"}"#])
  func refusesWhatAreNoFields(text: String) throws {
    let bytes = try secret(text.isEmpty ? " " : text)
    #expect(throws: KeyStoreError.corrupt("secret fields")) { try SecretFields(secretBytes: bytes) }
  }

  @Test func aFieldThatIsNoTextIsRefused() throws {
    var fields = SecretFields()
    fields["raw"] = try box([0xff, 0xfe])
    #expect(throws: KeyStoreError.corrupt("a field that is no text")) { _ = try fields.secretBytes() }
  }
}
