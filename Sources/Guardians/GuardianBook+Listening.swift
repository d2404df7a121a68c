import AuditLog
package import Curve
import Encodings
import Identities
import Signer
import Vault

/// Which identities take shares from others. The setting `guardian.listen` is 1 or 0, then the public keys. 1 alone, as earlier
/// versions wrote it, means every identity.
extension GuardianBook {
  private static let listening = Array("guardian.listen".utf8)
  private static let keyLength = 32

  private var setting: (isOn: Bool, keys: [PublicKey]) {
    let value = ((try? vault.value(.setting, id: Self.listening)) ?? nil) ?? []
    let keys = stride(from: 1, to: value.count, by: Self.keyLength).compactMap { start in
      Bytes32(value[start..<min(start + Self.keyLength, value.count)]).map(PublicKey.init)
    }
    return (value.first == 1, keys)
  }

  /// Whether any identity here takes shares.
  package var isListening: Bool { setting.isOn }

  /// Whether strangers may hand shares to this identity.
  package func isListening(_ identity: PublicKey) -> Bool {
    let (isOn, keys) = setting
    return isOn && (keys.isEmpty || keys.contains(identity))
  }

  /// The identities of `all` that take shares.
  package func listeners(_ all: [PublicKey]) -> [PublicKey] { all.filter { isListening($0) } }

  /// - Parameter identity: nil turns it off for all identities.
  package func setListening(_ isOn: Bool, _ identity: PublicKey?, of all: [PublicKey]) throws {
    var keys = Set(listeners(all))
    if let identity {
      if isOn { keys.insert(identity) } else { keys.remove(identity) }
    } else if !isOn {
      keys = []
    }
    let value = [keys.isEmpty ? 0 : 1] + keys.sorted().flatMap(\.bytes.array)
    let rule: AuditRule = isOn ? "listens for guardians' letters" : "no guardians' letters listened for"
    try outbox.recording(.event(.settingChanged, identity: identity, rule: rule)) {
      try vault.transaction([.put(.setting, Self.listening, value)])
    }
  }
}
