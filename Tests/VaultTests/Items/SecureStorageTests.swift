import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct SecureStorageTests {
  @Test("The existence of an item is known while the vault is locked") func existenceIsKnownWhileLocked() throws {
    let test = try TestStore()
    let storage = try SecureStorage<SecretBytes>(in: test.store, service: "s")
    try storage.save(secret("x"), as: "a")
    test.vault.lock()
    #expect(try storage.exists("a") && !storage.exists("b"))
    #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try storage.load("a") }
  }

  /// A save that is refused because of a lock, a full disk or its coding leaves the old value.
  @Test("A failed save keeps the old value") func aSaveThatFailsLosesNothing() throws {
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

  @Test("Fields with any text are read back as they were stored") func fieldsComeBackAsTheyWereWhateverTheyHold() throws {
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

  @Test(
    "Text that holds no fields is refused",
    arguments: ["", "[]", "{", #"{"a":1}"#, #"{"a":"b","a":"c"}"#, #"{"a":"b"} x"#, "\u{0}", #"{"a":"\ud800"}"#])
  func refusesWhatAreNoFields(text: String) throws {
    let bytes = try secret(text.isEmpty ? " " : text)
    #expect(throws: KeyStoreError.corrupt("secret fields")) { try SecretFields(secretBytes: bytes) }
  }

  @Test("A field that is not text is refused") func aFieldThatIsNoTextIsRefused() throws {
    var fields = SecretFields()
    fields["raw"] = try box([0xff, 0xfe])
    #expect(throws: KeyStoreError.corrupt("a field that is no text")) { _ = try fields.secretBytes() }
  }
}
