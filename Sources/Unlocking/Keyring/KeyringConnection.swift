import CKeyring
import Platform
import SecretMemory
import Vault

/// One connection to the keyring, for one thread and one call.
struct KeyringConnection: ~Copyable {
  /// The schema name of our items, in every keyring.
  static let schemaName = "eu.holdfast.Slot"
  private static let contentType = "application/octet-stream"
  /// `G_BUS_TYPE_SESSION`
  private static let sessionBus: Int32 = 2
  /// `SECRET_SEARCH_ALL`, without the flags to unlock or to load.
  private static let searchAll: Int32 = 1 << 1

  /// Attempts to replace a connection that is closed and still held.
  private static let busAttempts = 50

  private let library: KeyringLibrary
  private let ending: KeyringEnding
  private let bus: UnsafeMutableRawPointer
  private let service: UnsafeMutableRawPointer
  private let schema: UnsafeMutableRawPointer

  /// - Throws: `.notPresent`
  init(_ library: KeyringLibrary, _ ending: KeyringEnding) throws(KeyStoreError) {
    let functions = library.functions
    guard let bus = Self.openBus(library, ending) else { throw Self.fault(ending, .notPresent("the desktop's session bus")) }
    // By default GLib ends the process when the bus goes away.
    functions.bus_set_exit_on_close(bus, 0)
    // A separate service, not the one that libsecret shares: the daemon behind that may have changed by the next call.
    guard let service = functions.service_open_sync(functions.service_get_type(), nil, 0, ending.raw, nil) else {
      functions.object_unref(bus)
      throw Self.fault(ending, .notPresent("the keyring"))
    }
    guard
      let schema = Self.schemaName.withCString({ name in withUnsafePointer(to: functions) { holdfast_keyring_schema($0, name) } })
    else {
      functions.object_unref(service)
      functions.object_unref(bus)
      throw .vault(.outOfMemory)
    }
    (self.library, self.ending) = (library, ending)
    (self.bus, self.service, self.schema) = (bus, service, schema)
  }

  deinit {
    library.functions.schema_unref(schema)
    library.functions.object_unref(service)
    Self.settle(library)
    library.functions.object_unref(bus)
  }

  /// The session bus. GLib returns the same connection as long as somebody holds it, even a closed one.
  private static func openBus(_ library: KeyringLibrary, _ ending: KeyringEnding) -> UnsafeMutableRawPointer? {
    for _ in 0..<busAttempts {
      guard let bus = library.functions.bus_get_sync(sessionBus, ending.raw, nil) else { return nil }
      if library.functions.bus_is_closed(bus) == 0 { return bus }
      library.functions.object_unref(bus)
      settle(library)
      usleep(10_000)  // GLib's own thread releases it a little later
    }
    return nil
  }

  /// Runs GLib's pending work, which holds the connection. Nobody else runs a main loop in this process.
  private static func settle(_ library: KeyringLibrary) {
    for _ in 0..<64 where library.functions.context_iteration(nil, 0) == 0 { return }
  }

  /// Lends the only item of that name.
  borrowing func withItem<R>(
    _ name: String, _ body: (UnsafeMutableRawPointer) throws(KeyStoreError) -> R
  ) throws(KeyStoreError) -> R {
    let attributes = try attributes(name)
    defer { library.functions.table_unref(attributes) }
    var fault: UnsafeMutablePointer<holdfast_gerror>?
    let list = library.functions.service_search_sync(service, schema, attributes, Self.searchAll, ending.raw, &fault)
    defer { release(list) }
    if let fault {
      library.functions.error_free(fault)
      throw Self.fault(ending, .notPresent("the keyring"))
    }
    guard let first = list, let item = first.pointee.data else { throw .itemNotFound }
    guard first.pointee.next == nil else { throw .duplicateItem }
    guard library.functions.item_get_locked(item) == 0 else { throw .interactionNotAllowed }
    return try body(item)
  }

  /// An item's value, copied from libsecret's locked memory, which is wiped.
  borrowing func secret(of item: UnsafeMutableRawPointer) throws(KeyStoreError) -> SecretBytes {
    var fault: UnsafeMutablePointer<holdfast_gerror>?
    guard library.functions.item_load_secret_sync(item, ending.raw, &fault) != 0,
      let value = library.functions.item_get_secret(item)
    else { throw failure(fault, "reading the keyring") }
    defer { library.functions.value_unref(value) }
    var length = 0
    guard let bytes = library.functions.value_get(value, &length), (1...Keyring.maximumLength).contains(length) else {
      throw .corrupt("the keyring's item")
    }
    do { return try SecretBytes(copying: UnsafeRawBufferPointer(start: bytes, count: length)) } catch {
      throw .vault(.outOfMemory)
    }
  }

  borrowing func store(_ secret: SecretBox, _ name: String, _ label: String) throws(KeyStoreError) {
    let attributes = try attributes(name)
    defer { library.functions.table_unref(attributes) }
    let value = secret.withBytes { bytes in
      library.functions.value_new(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, Self.contentType)
    }
    guard let value else { throw .vault(.outOfMemory) }
    defer { library.functions.value_unref(value) }
    var fault: UnsafeMutablePointer<holdfast_gerror>?
    let stored = library.functions.service_store_sync(service, schema, attributes, nil, label, value, ending.raw, &fault)
    // Nothing stored and no error: somebody closed the keyring's dialog, or there is no screen for it.
    guard stored != 0 else { throw fault == nil ? .interactionNotAllowed : failure(fault, "storing in the keyring") }
  }

  borrowing func delete(_ item: UnsafeMutableRawPointer) throws(KeyStoreError) {
    var fault: UnsafeMutablePointer<holdfast_gerror>?
    guard library.functions.item_delete_sync(item, ending.raw, &fault) != 0 else {
      throw failure(fault, "deleting from the keyring")
    }
  }

  private func attributes(_ name: String) throws(KeyStoreError) -> UnsafeMutableRawPointer {
    let made = name.withCString { name in
      withUnsafePointer(to: library.functions) { holdfast_keyring_attributes($0, schema, name) }
    }
    guard let made else { throw .vault(.outOfMemory) }
    return made
  }

  private func release(_ list: UnsafeMutablePointer<holdfast_glist>?) {
    var next = list
    while let entry = next {
      library.functions.object_unref(entry.pointee.data)
      next = entry.pointee.next
    }
    library.functions.list_free(list)
  }

  private func failure(_ fault: UnsafeMutablePointer<holdfast_gerror>?, _ step: StaticString) -> KeyStoreError {
    let code = UInt64(UInt32(bitPattern: fault?.pointee.code ?? 0))
    if let fault { library.functions.error_free(fault) }
    return Self.fault(ending, .deviceFailed(step, code: code))
  }

  /// The error of a call. A cancelled call failed because it was cancelled, whatever its error says.
  private static func fault(_ ending: KeyringEnding, _ otherwise: KeyStoreError) -> KeyStoreError {
    ending.isCancelled ? .deviceFailed("waiting for the keyring", code: 0) : otherwise
  }
}
