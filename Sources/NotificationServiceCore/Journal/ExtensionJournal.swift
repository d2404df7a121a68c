import Encodings
import Platform

/// What the extension accepted, decided and answered: the file `journal`, which only grows.
///
/// A request is in it, on the disk, before its answer leaves. The next wake reads it, so that nothing is answered twice and limits count on. The
/// app takes its entries over (`ExtensionFolder.takeBack`).
public final class ExtensionJournal {
  /// The longest file, in bytes. When it is full, nothing is answered until the app has taken it over.
  public static let longest = 768 << 10
  /// How much of it requests may fill that wait for the owner, in bytes, so that those that are allowed are still answered.
  public static let longestWithWaiting = 512 << 10
  /// The longest record, in bytes. A request that makes a longer one is not accepted.
  public static let longestRecord = 384 << 10
  /// The most senders in it that were refused. Further ones get no answer.
  public static let mostRefused = 64

  private let descriptor: Int32
  private var scan: JournalScan
  /// Whether bytes of a torn record may stand behind the last sound one.
  private var isTorn: Bool

  /// Opens the journal that a state began.
  /// - Throws: `.olderState`, `.otherJournal` when it is not that one; else what is wrong with the file.
  init(_ folder: ExtensionFolder, _ key: ExtensionKey, for state: ExtensionState, id: Bytes32) throws(ExtensionError) {
    let descriptor = open(folder.path(.journal), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .notThere(.journal) : .io(.journal, code: errno) }
    do throws(ExtensionError) {
      let file = try FileBytes.read(.journal, descriptor, most: Self.longest)
      scan = try JournalScan(file, key)
      if let fault = scan.fault { throw fault }
      guard scan.head.revision <= state.revision else { throw .olderState }
      guard scan.head == JournalHead(revision: state.revision, id: id) else { throw .otherJournal }
      isTorn = scan.end < file.count
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// All entries, the oldest first.
  var entries: [JournalEntry] { scan.entries }

  /// What became of a request. Nil for one that no wake accepted.
  func entry(of id: Bytes32) -> JournalEntry? { scan.entry(of: id) }

  /// Writes a record and waits until it is on the disk.
  /// - Throws: `.tooLong(.journal, …)`, `.io(.journal, …)`; nothing is written then.
  func record(_ record: JournalRecord) throws(ExtensionError) {
    try write(record)
    guard FileBytes.sync(descriptor) else { throw .io(.journal, code: errno) }
  }

  /// Writes a record and does not wait for the disk: a process that is ended loses nothing by it, a power cut may.
  func note(_ record: JournalRecord) throws(ExtensionError) { try write(record) }

  private func write(_ record: JournalRecord) throws(ExtensionError) {
    let sealed = try scan.seal.sealed(record.plaintext)
    guard sealed.count - JournalSeal.frame <= Self.longestRecord else { throw .tooLong(.journal, limit: Self.longestRecord) }
    let limit = record.keepsRequest ? Self.longestWithWaiting : Self.longest
    guard scan.end + sealed.count <= limit else { throw .tooLong(.journal, limit: limit) }
    if isTorn, ftruncate(descriptor, off_t(scan.end)) != 0 { throw .io(.journal, code: errno) }
    isTorn = true
    guard lseek(descriptor, off_t(scan.end), SEEK_SET) >= 0, writeWhole(sealed, to: descriptor) else {
      throw .io(.journal, code: errno)
    }
    isTorn = false
    scan.wrote(sealed, record)
  }
}

extension JournalRecord {
  fileprivate var keepsRequest: Bool { if case .entry(let entry) = self { entry.waiting != nil } else { false } }
}
