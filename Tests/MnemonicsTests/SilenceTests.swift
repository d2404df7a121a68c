import Encodings
import Mnemonics
import SecretMemory
import TestSupport
import Testing

/// Nothing of a mnemonic's entropy or of a derived key stays in memory once their owners are gone.
@Suite struct SilenceTests {
  @Test("Words leave no copy of their secret in memory", arguments: [Mnemonic.Language.english, .japanese, .korean])
  func nothingIsLeftOfAMnemonic(language: Mnemonic.Language) throws {
    // One for each language: the cases run side by side and search the same memory.
    let canary = Canary(0xb1b39 + UInt64(language.rawValue.utf8.reduce(0) { $0 &+ Int($1) }))
    func useAndCount() throws -> Int {
      let mnemonic = try Mnemonic(entropy: try SecretBytes(count: Canary.length) { canary.plant(in: $0) }, language: language)
      let again = try Mnemonic(words: try mnemonic.words())
      let master = try ExtendedKey(seed: try again.seed(passphrase: try secret("TREZOR")))
      #expect(master.origin.depth == 0 && mnemonic.wordCount == again.wordCount)
      let count = MemoryScan.occurrences(of: canary)
      return again.wordCount == mnemonic.wordCount ? count : 0
    }
    #expect(try useAndCount() == 2)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }

  @Test("An extended key leaves no copy in memory") func nothingIsLeftOfAnExtendedKey() throws {
    let canary = Canary(0xb1b32)
    // A key whose 32 bytes are the canary, as its own xprv says it: the payload passes through Base58 both ways.
    func useAndCount() throws -> Int {
      let payload = try SecretBytes(count: 78) {
        $0.copyBytes(from: [0x04, 0x88, 0xad, 0xe4] + [UInt8](repeating: 0, count: 9) + [UInt8](repeating: 7, count: 32) + [0])
        canary.plant(in: UnsafeMutableRawBufferPointer(rebasing: $0[46...]))
      }
      let text = try payload.withBytes { try Base58Check.encode($0) }
      let key = try ExtendedKey(parsing: text)
      let child = try key.descendant(at: try DerivationPath(parsing: "m/44'/1237'/0'/0/0"))
      #expect(child.origin.depth == 5)
      let same = try key.serialized().text() == text.text()
      #expect(same)
      return key.origin.depth == 0 ? MemoryScan.occurrences(of: canary) : 0
    }
    #expect(try useAndCount() >= 1)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }
}
