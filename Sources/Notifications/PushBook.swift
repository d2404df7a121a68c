package import AuditLog
import Ciphers
import Encodings
import Platform
import SecretMemory
package import Signer
package import Vault
package import WebPush

/// The browsers that get Web Push, and the key that this signer shows to push services. Read from the vault when first needed.
package final class PushBook: Sendable {
  /// The most browsers and phones.
  package static let maximum = 16

  private struct Contents {
    /// Nil until they were read.
    var subscriptions: [PushSubscription]?
  }

  private let vault: Vault
  private let outbox: Outbox
  private let contents = Locked(Contents())

  package init(_ vault: Vault, _ outbox: Outbox) { (self.vault, self.outbox) = (vault, outbox) }

  /// The oldest first. Empty when the vault cannot be read.
  package var all: [PushSubscription] { (try? contents.withLock { try load(&$0) }) ?? [] }

  /// The one of this id.
  package func subscription(_ id: String) -> PushSubscription? { all.first { $0.id == id } }

  // MARK: changes

  /// Adds a browser. One that is known by its endpoint gets its new keys and keeps its id.
  package func subscribe(_ receiver: PushReceiver, label: String, now: Int64) throws -> PushSubscription {
    try contents.withLock { contents in
      var list = try load(&contents)
      let known = list.firstIndex { $0.receiver.endpoint == receiver.endpoint }
      guard known != nil || list.count < Self.maximum else { throw PushError.tooManySubscriptions }
      let id = known.map { list[$0].id } ?? Hex.encode(SystemRandom.bytes(8))
      let made = PushSubscription(id: id, receiver: receiver, label: label, made: now)
      let change = RecordChange.put(.pushSubscription, Array(id.utf8), made.record)
      if let known {
        try vault.transaction([change])
        list[known] = made
      } else {
        try outbox.recording(.event(.notificationSubscribed, rule: "web push")) { try vault.transaction([change]) }
        list.append(made)
      }
      contents.subscriptions = list
      return made
    }
  }

  /// - Parameter reason: for the log.
  /// - Returns: false when there is none of that id.
  package func remove(_ id: String, reason: AuditRule) throws -> Bool {
    try contents.withLock { contents in
      let list = try load(&contents)
      guard list.contains(where: { $0.id == id }) else { return false }
      try outbox.recording(.event(.notificationUnsubscribed, rule: reason)) {
        try vault.transaction([.delete(kind: .pushSubscription, id: Array(id.utf8))])
      }
      contents.subscriptions = list.filter { $0.id != id }
      return true
    }
  }

  /// Keeps how the last message went. A vault that cannot be written changes nothing here: it is said elsewhere.
  func note(_ id: String, error: String?, now: Int64) {
    contents.withLock { contents in
      guard var list = contents.subscriptions, let place = list.firstIndex(where: { $0.id == id }) else { return }
      if error == nil { list[place].lastOK = now }
      guard error == nil || list[place].lastError != error else { return }
      list[place].lastError = error
      contents.subscriptions = list
      try? vault.transaction([.put(.pushSubscription, Array(id.utf8), list[place].record)])
    }
  }

  private func load(_ contents: inout Contents) throws -> [PushSubscription] {
    if let known = contents.subscriptions { return known }
    let list = try vault.records(.pushSubscription).compactMap { PushSubscription(record: $0.value) }.sorted { $0.made < $1.made }
    contents.subscriptions = list
    return list
  }

  // MARK: the key

  private static let keyID: [UInt8] = Array("vapid".utf8)

  /// The key for push services; made when there is none.
  package func key(contact: String) throws -> VAPIDKey {
    try contents.withLock { _ in
      do { return VAPIDKey(try P256.PrivateKey(vault.secret(kind: .pushKey, id: Self.keyID)), contact: contact) } catch {
        guard case VaultError.notFound = error else { throw error }
      }
      let key = try P256.PrivateKey.random()
      let box = SecretBox(try key.withBytes { try SecretBytes(copying: $0) })
      try vault.transaction([.put(.pushKey, Self.keyID, box, .afterFirstUnlock)])
      return VAPIDKey(key, contact: contact)
    }
  }
}
