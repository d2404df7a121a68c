import CKeyring
import Platform
import SecretMemory
import Vault

/// The desktop's keyring (Secret Service: GNOME Keyring, KWallet, KeePassXC), reached on the session bus through libsecret.
///
/// Every call has a time limit. No call opens a window to unlock a keyring: a locked keyring is reported as locked.
enum Keyring {
  /// The time limit for reading. A running keyring daemon answers within milliseconds.
  static let milliseconds = 5_000
  /// The time limit for storing. A desktop may ask the person for the keyring's password first.
  static let storingMilliseconds = 60_000
  /// The longest value in bytes. Longer ones were not stored by this program.
  static let maximumLength = 256

  private static let calls = TimeLimit("waiting for the keyring")

  /// Looks whether there is one.
  /// - Throws: `.notPresent`
  static func look() throws(KeyStoreError) { try call(milliseconds) { (_) throws(KeyStoreError) in } }

  /// - Throws: `.itemNotFound`, `.interactionNotAllowed` when the keyring is locked, `.duplicateItem`, `.notPresent`, `.deviceFailed`.
  static func value(of name: String) throws(KeyStoreError) -> SecretBytes {
    let box = try call(milliseconds) { (connection) throws(KeyStoreError) in
      try connection.withItem(name) { (item) throws(KeyStoreError) in SecretBox(try connection.secret(of: item)) }
    }
    return try SlotWrap.copy(box)
  }

  /// - Parameter label: for people who inspect the keyring.
  static func store(_ value: SecretBox, as name: String, label: String) throws(KeyStoreError) {
    try call(storingMilliseconds) { (connection) throws(KeyStoreError) in
      // Reading first shows whether a keyring is present.
      do throws(KeyStoreError) {
        try connection.withItem(name) { (_) throws(KeyStoreError) in throw .duplicateItem }
      } catch { guard case .itemNotFound = error else { throw error } }
      try connection.store(value, name, label)
    }
  }

  /// - Throws: the errors of `value(of:)`.
  static func delete(_ name: String) throws(KeyStoreError) {
    try call(milliseconds) { (connection) throws(KeyStoreError) in
      try connection.withItem(name) { (item) throws(KeyStoreError) in try connection.delete(item) }
    }
  }

  private static func call<Result: Sendable>(
    _ milliseconds: Int, _ body: @escaping @Sendable (borrowing KeyringConnection) throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    // Without an address GLib would start its own bus.
    guard hasBus else { throw .notPresent("the desktop's session bus") }
    guard let library = KeyringLibrary.shared, let ending = KeyringEnding(library) else { throw .notPresent("libsecret") }
    return try calls.run(milliseconds: milliseconds, whenOver: { ending.cancel() }) { () throws(KeyStoreError) in
      let connection = try KeyringConnection(library, ending)
      return try body(connection)
    }
  }

  private static var hasBus: Bool {
    if let address = getenv("DBUS_SESSION_BUS_ADDRESS"), address.pointee != 0 { return true }
    guard let folder = getenv("XDG_RUNTIME_DIR"), folder.pointee != 0 else { return false }
    return access(String(cString: folder) + "/bus", F_OK) == 0
  }
}

/// Cancels a libsecret call. Callable from any thread, as GLib guarantees for this type.
final class KeyringEnding: @unchecked Sendable {  // Sendable: the pointer never changes, and its target is thread-safe
  let raw: UnsafeMutableRawPointer
  private let library: KeyringLibrary

  init?(_ library: KeyringLibrary) {
    guard let raw = library.functions.cancellable_new() else { return nil }
    (self.raw, self.library) = (raw, library)
  }

  deinit { library.functions.object_unref(raw) }

  var isCancelled: Bool { library.functions.cancellable_is_cancelled(raw) != 0 }

  func cancel() { library.functions.cancellable_cancel(raw) }
}
