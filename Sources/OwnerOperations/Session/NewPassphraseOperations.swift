import Mnemonics
import OwnerAPI
import SecretMemory

/// Help with a new passphrase.
extension Operations {
  static let newPassphraseHandlers: [OperationHandler] = [
    .init(PassphraseSuggest.self) { _, _, _ in try suggestPassphrase() },
    .init(PassphraseCheck.self) { _, request, _ in checkPassphrase(request) },
  ]

  /// The last word of a mnemonic holds its checksum; the first seven of twelve are random.
  private static let suggestedWords = 7

  private static func suggestPassphrase() throws -> PassphraseSuggest.Response {
    let words = try Mnemonic.random(wordCount: 12).words()
    var response = PassphraseSuggest.Response()
    response.passphrase = SecretBox(
      try words.withBytes { bytes in
        var spaces = 0
        let end = bytes.firstIndex { byte in
          spaces += byte == UInt8(ascii: " ") ? 1 : 0
          return spaces == suggestedWords
        }
        return try SecretBytes(count: end ?? bytes.count) {
          $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? bytes.count)]))
        }
      })
    return response
  }

  private static func checkPassphrase(_ request: PassphraseCheck.Request) -> PassphraseCheck.Response {
    var response = PassphraseCheck.Response()
    response.remark = request.newPassphrase?.withBytes { PassphraseRemark.text(for: $0) }
    return response
  }
}
