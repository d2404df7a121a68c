/// A remark about a passphrase that is easily guessed. It does not measure strength, and only names what is clearly weak.
package enum PassphraseRemark {
  /// A passphrase with fewer bytes than this is too short, whatever they are.
  package static let fewBytes = 12
  /// Fewer different bytes than this are as good as one key held down.
  private static let fewDifferent = 5
  private static let obvious = [
    "password", "passwort", "passphrase", "letmein", "qwerty", "qwertz", "asdfgh", "iloveyou", "123456", "abcdef", "holdfast",
    "nostr", "bitcoin", "satoshi", "correcthorsebatterystaple", ["correct", "horse", "battery", "staple"].joined(separator: " "),
  ]

  private static let advice = "Anybody with a copy can try passphrases without end: use four or more random words."

  /// - Parameter passphrase: is examined in place; nothing of it is kept or shown.
  /// - Returns: nil if nothing is clearly wrong with it.
  package static func text(for passphrase: UnsafeRawBufferPointer) -> String? {
    guard let weakness = weakness(passphrase) else { return nil }
    return [weakness, advice].joined(separator: " ")
  }

  private static func weakness(_ bytes: UnsafeRawBufferPointer) -> String? {
    // What attackers try first says more than how short it is. A common word with a small addition is among that.
    let isKnown = obvious.contains { word in word.utf8.count * 2 >= bytes.count && holds(word, bytes) }
    if isKnown { return "This passphrase is well known, or nearly: attackers try it first." }
    if bytes.count < fewBytes { return "This passphrase is short (fewer than \(fewBytes) characters)." }
    if Set(bytes).count < fewDifferent { return "This passphrase repeats a few characters." }
    return bytes.allSatisfy { (0x30...0x39).contains($0) } ? "This passphrase has digits only." : nil
  }

  private static func holds(_ word: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let word = Array(word.utf8)
    guard bytes.count >= word.count else { return false }
    return (0...(bytes.count - word.count)).contains { start in
      word.indices.allSatisfy { lower(bytes[start + $0]) == word[$0] }
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
