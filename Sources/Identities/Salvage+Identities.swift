import Curve
import Encodings
import SecretMemory
public import Vault

extension Salvage {
  /// What became of identities and items of which one half was lost.
  public struct Mended: Sendable {
    /// Identities whose name and details were lost. Their keys are there under made-up names.
    public var renamed: [Identity] = []
    /// Identities whose keys were lost, and came again from their words.
    public var derived: [Identity] = []
    /// Identities whose keys are lost.
    public var gone: [Identity] = []
    /// Items of programs whose values are lost.
    public var items = 0
  }

  /// Puts parts together that belong together: a key gets an identity again, an identity gets its key from its words. What has
  /// lost its secret permanently is removed. No secret that opens is dropped.
  /// - Parameter now: seconds since 1970.
  /// - Throws: `.io`, `.corrupt`.
  public func mend(now: Int64) throws(VaultError) -> Mended {
    var mended = Mended()
    var changes: [RecordChange] = []
    var left: [Identity] = []
    for record in try vault.records(.identity) {
      guard let identity = Identity(record) else { throw .corrupt(what: RecordKind.identity.name) }
      if try vault.protection(of: .identityKey, id: record.id) != nil {
        left.append(identity)
      } else if let (put, protection) = try keyAgain(of: identity) {
        var identity = identity
        identity.protection = protection
        changes.append(put)
        mended.derived.append(identity)
        left.append(identity)
      } else {
        changes.append(.delete(kind: .identity, id: record.id))
        mended.gone.append(identity)
      }
    }
    for id in (ids[.identityKey] ?? []).subtracting(ids[.identity] ?? []) {
      guard let key = Bytes32(id) else { continue }
      let identity = try nameless(PublicKey(key), now)
      changes.append(.put(.identity, id, identity.recordValue))
      mended.renamed.append(identity)
      left.append(identity)
    }
    changes += try keepingDefault(left)
    let emptied = try removalOfEmptyItems()
    (changes, mended.items) = (changes + emptied, emptied.count)
    if !changes.isEmpty { try vault.transaction(changes) }
    return mended
  }

  /// The key of an identity from its words, where no passphrase went into them, they can be read now, and are the latest.
  private func keyAgain(of identity: Identity) throws(VaultError) -> (RecordChange, ProtectionClass)? {
    // Older words may be of a lower class than the key was.
    guard !damage.unproven.contains(.identityWords), let words = identity.words, let account = identity.account,
      !identity.hasWordsPassphrase,
      let protection = try vault.protection(of: .identityWords, id: words.array),
      let text = try? vault.secret(kind: .identityWords, id: words.array),
      let accounts = try? WordAccounts(words: text),
      try Self.derived({ () throws(IdentityError) in try accounts.publicKey(account) }) == identity.publicKey,
      let secret = try Self.derived({ () throws(IdentityError) in
        let key = try accounts.key(account)
        return try keyStep(.outOfMemory) { SecretBox(try key.withBytes { try SecretBytes(copying: $0) }) }
      })
    else { return nil }
    return (.put(.identityKey, identity.publicKey.bytes.array, secret, protection), protection)
  }

  /// A name that nobody has, for a key of which nothing is known but the words that give it, where they are here.
  private func nameless(_ key: PublicKey, _ now: Int64) throws(VaultError) -> Identity {
    let name = "recovered-" + Hex.encode(key.bytes.array).prefix(12)
    guard let (words, account) = try source(of: key) else {
      return Identity(name: name, publicKey: key, createdAt: now, origin: .importedHex, keySecurity: Self.untracked)
    }
    return Identity(name: name, publicKey: key, createdAt: now, origin: .importedMnemonic, account: account, words: words)
  }

  /// Which words give a key, and as which account. Those that a words passphrase went into are not found.
  private func source(of key: PublicKey) throws(VaultError) -> (words: Bytes32, account: UInt32)? {
    for id in ids[.identityWords] ?? [] {
      guard let words = Bytes32(id), let text = try? vault.secret(kind: .identityWords, id: id),
        let accounts = try? WordAccounts(words: text)
      else { continue }
      for account in 0..<Self.accountsTried
      where try Self.derived({ () throws(IdentityError) in try accounts.publicKey(account) }) == key {
        return (words, account)
      }
    }
    return nil
  }

  /// - Returns: nil for an account that the words do not have.
  private static func derived<Result>(_ body: () throws(IdentityError) -> Result) throws(VaultError) -> Result? {
    do { return try body() } catch .vault(let error) { throw error } catch { return nil }
  }

  /// Accounts of each words that are compared with a key.
  private static let accountsTried: UInt32 = 20

  /// NIP-49: nobody kept track of how the key was handled.
  private static let untracked: UInt8 = 2

  private func keepingDefault(_ left: [Identity]) throws(VaultError) -> [RecordChange] {
    let known = try vault.value(.setting, id: Identities.defaultSetting)
    if let known, left.contains(where: { $0.publicKey.bytes.array == known }) { return [] }
    guard let oldest = left.min(by: Identities.isBefore) else { return [.delete(kind: .setting, id: Identities.defaultSetting)] }
    return [.put(.setting, Identities.defaultSetting, oldest.publicKey.bytes.array)]
  }
}
