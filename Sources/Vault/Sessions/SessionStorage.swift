import Encodings
public import SecretMemory

/// Why a session is not given back.
public enum SessionStorageError: Error, Sendable, Equatable {
  /// None is stored.
  case noSession
  /// The session has no such secret.
  case notInSession
  /// It had ended, and is wiped now. Milliseconds since 1970-01-01 UTC.
  case expired(at: Int64)
  /// It was saved under another class than the one it is to be restored under. Nothing was opened.
  case savedUnder(ProtectionClass)
  /// The machine's clock is behind the time it was saved at, so nobody can say whether it has ended. Nothing was opened.
  case clockIsBehind
  /// The store refused; the session is there as it was.
  case store(KeyStoreError)
}

/// Keeps one exported session, with or without the user's presence, and gives it back under the same policy only.
///
/// What cannot be opened under the policy it was saved with is an error: there is no second, weaker place where it would be looked
/// for. Saving under another policy replaces what was there, in one transaction. A session that has ended is never given back.
public struct SessionStorage: Sendable {
  /// How far the clock may be behind the time of saving, in milliseconds.
  static let toleratedStep: Int64 = 60_000

  private let store: KeyStore
  private let service: String

  /// - Parameter service: 1 to 256 bytes; one session is kept for each.
  /// - Throws: the fault of the service's name.
  public init(in store: KeyStore, service: String) throws(ItemNameError) {
    guard !service.isEmpty else { throw .empty }
    _ = try ItemName(service: service, account: ExportedSession.openAccount)
    (self.store, self.service) = (store, service)
  }

  /// Saves the session in the place of the one before. Secrets it has not are removed.
  /// - Parameter policy: who may restore it: `.whenUnlocked` for without presence, `.biometricOrPasscode` for with.
  /// - Throws: `.expired` for a session that has ended: nothing was changed; `.store`.
  public func save(_ session: ExportedSession, under policy: ProtectionClass) throws(SessionStorageError) {
    try save(session, policy, nil)
  }

  /// As `save(_:under:)`, for a class that needs presence.
  public func save(
    _ session: ExportedSession, under policy: ProtectionClass, by presence: borrowing Presence
  ) throws(SessionStorageError) {
    try save(session, policy, presence.shown)
  }

  private func save(
    _ session: ExportedSession, _ policy: ProtectionClass, _ shown: Shown?
  ) throws(SessionStorageError) {
    guard store.clock.milliseconds() < session.expiresAt else { throw .expired(at: session.expiresAt) }
    try stored { () throws(KeyStoreError) in
      var remark: [UInt8] = []
      remark.append(bigEndian: session.expiresAt)
      let open = SecretBox(try session.openFields().secretBytes())
      var items = [NewItem(try name(ExportedSession.openAccount), open, policy, label: "", remark: remark)]
      var absent: [ItemName] = []
      for secret in SessionSecret.allCases {
        let name = try name(secret.rawValue)
        if let value = session[keyPath: secret.path] {
          items.append(NewItem(name, value, policy, remark: remark))
        } else {
          absent.append(name)
        }
      }
      try store.put(items, removing: absent, with: shown)
    }
  }

  /// The session with all it has.
  /// - Parameter policy: the one it was saved under.
  public func restore(under policy: ProtectionClass) throws(SessionStorageError) -> ExportedSession {
    try restore(policy) { name throws(KeyStoreError) in SecretBox(try store.retrieve(name)) }
  }

  /// As `restore(under:)`, for a class that needs presence. One that is saved without is not given back by it.
  public func restore(
    under policy: ProtectionClass, by presence: borrowing Presence
  ) throws(SessionStorageError) -> ExportedSession {
    let shown = presence.shown
    return try restore(policy) { name throws(KeyStoreError) in try store.value(of: name, with: shown) }
  }

  private func restore(
    _ policy: ProtectionClass, _ value: (ItemName) throws(KeyStoreError) -> SecretBox
  ) throws(SessionStorageError) -> ExportedSession {
    let expiresAt = try check(policy)
    return try stored { () throws(KeyStoreError) in
      let open = try value(try name(ExportedSession.openAccount)).duplicated()
      var session = try ExportedSession(SecretFields(secretBytes: open), expiresAt: expiresAt)
      for secret in SessionSecret.allCases {
        let name = try name(secret.rawValue)
        guard try store.exists(name) else { continue }
        session[keyPath: secret.path] = try value(name)
      }
      return session
    }
  }

  /// One secret of the session. The others are not opened.
  /// - Throws: as `restore`; `.notInSession`.
  public func secret(_ secret: SessionSecret, under policy: ProtectionClass) throws(SessionStorageError) -> SecretBytes {
    _ = try check(policy)
    do throws(KeyStoreError) { return try store.retrieve(try name(secret.rawValue)) } catch {
      throw error == .itemNotFound ? .notInSession : .store(error)
    }
  }

  /// As `secret(_:under:)`, for a class that needs presence.
  public func secret(
    _ secret: SessionSecret, under policy: ProtectionClass, by presence: borrowing Presence
  ) throws(SessionStorageError) -> SecretBytes {
    _ = try check(policy)
    do throws(KeyStoreError) { return try store.retrieve(try name(secret.rawValue), by: presence) } catch {
      throw error == .itemNotFound ? .notInSession : .store(error)
    }
  }

  /// Whether a session that has not ended is there, and under which class. Opens nothing; wipes one that has ended.
  public func policy() throws(SessionStorageError) -> ProtectionClass? {
    do { return try live().permissions } catch {
      switch error {
      case .noSession, .expired: return nil
      default: throw error
      }
    }
  }

  /// Forgets the session, whatever it was saved under: for a logout. May be called when there is none.
  public func clear() throws(SessionStorageError) {
    try stored { () throws(KeyStoreError) in _ = try store.deleteAll(service: service) }
  }

  // MARK: what is looked at before anything is opened

  private func check(_ policy: ProtectionClass) throws(SessionStorageError) -> Int64 {
    let note = try live()
    guard note.permissions == policy else { throw .savedUnder(note.permissions) }
    return note.expiresAt
  }

  private func live() throws(SessionStorageError) -> (permissions: ProtectionClass, expiresAt: Int64) {
    let note: ItemNote? = try stored { () throws(KeyStoreError) in try store.stored(try name(ExportedSession.openAccount)) }
    guard let note else { throw .noSession }
    var reader = ByteReader(note.remark[...])
    guard let expiresAt: Int64 = reader.integer() else { throw .store(.corrupt("session")) }
    let now = store.clock.milliseconds()
    guard now < expiresAt else {
      try clear()
      throw .expired(at: expiresAt)
    }
    guard note.changedAt <= now || note.changedAt - now <= Self.toleratedStep else { throw .clockIsBehind }
    return (note.permissions, expiresAt)
  }

  private func name(_ account: String) throws(KeyStoreError) -> ItemName {
    do { return try ItemName(service: service, account: account) } catch { throw .vault(.nameNotAllowed) }
  }

  private func stored<Result>(_ body: () throws(KeyStoreError) -> Result) throws(SessionStorageError) -> Result {
    do throws(KeyStoreError) { return try body() } catch { throw error == .itemNotFound ? .noSession : .store(error) }
  }
}
