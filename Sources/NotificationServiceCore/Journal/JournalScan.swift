import Encodings

/// What a journal's file holds.
struct JournalScan {
  let head: JournalHead
  /// The entries, as far as the file is sound.
  private(set) var entries: [JournalEntry] = []
  /// The end of the last sound record, in bytes. What follows was torn while it was written.
  private(set) var end = JournalHead.length
  /// Why the rest cannot be read.
  private(set) var fault: ExtensionError?
  /// Ready for the next record.
  private(set) var seal: JournalSeal
  private var places: [Bytes32: Int] = [:]

  /// - Parameter file: all its bytes.
  /// - Throws: `.unknownForm(.journal)`, `.notAuthentic(.journal)` for a head that nothing vouches for.
  init(_ file: [UInt8], _ key: ExtensionKey) throws(ExtensionError) {
    guard let head = JournalHead(file) else { throw .unknownForm(.journal) }
    self.head = head
    seal = try JournalSeal(head, key)
    while fault == nil, let record = next(file) { read(record) }
    guard end > JournalHead.length else { throw fault ?? .notAuthentic(.journal) }
  }

  /// The next record without its frame. Nil at the end, for a record that was torn, and for a wrong frame.
  private mutating func next(_ file: [UInt8]) -> ArraySlice<UInt8>? {
    var reader = ByteReader(file[end...])
    guard let length: UInt32 = reader.integer(), let check: UInt32 = reader.integer() else { return nil }
    // A file may have become longer without its bytes when the power was cut.
    if length == 0, check == 0, reader.rest.allSatisfy({ $0 == 0 }) { return nil }
    guard check == ~length, (JournalSeal.shortest...ExtensionJournal.longestRecord).contains(Int(length)) else {
      fault = .notAuthentic(.journal)
      return nil
    }
    return reader.take(Int(length))
  }

  private mutating func read(_ record: ArraySlice<UInt8>) {
    guard let plaintext = seal.open(record) else { return fault = .notAuthentic(.journal) }
    guard let read = JournalRecord(plaintext), (read == .begun) == (end == JournalHead.length) else {
      return fault = .malformed(.journal)
    }
    end += JournalSeal.frame + record.count
    take(read)
  }

  /// Adds what a record says.
  mutating func take(_ record: JournalRecord) {
    switch record {
    case .begun: break
    case .entry(let entry):
      places[entry.eventID] = entries.count
      entries.append(entry)
    case .made(let id, let signed, let failed):
      change(id) { ($0.fate, $0.signedEvent, $0.failed) = (.made, signed, failed) }
    case .sent(let id, let isTaken): change(id) { $0.fate = isTaken ? .sent : .notSent }
    case .left(let id): change(id) { $0.hasLeft = true }
    case .told(let id): change(id) { $0.isTold = true }
    }
  }

  private mutating func change(_ id: Bytes32, _ body: (inout JournalEntry) -> Void) {
    if let place = places[id] { body(&entries[place]) }
  }

  /// What became of a request.
  func entry(of id: Bytes32) -> JournalEntry? { places[id].map { entries[$0] } }

  /// A record that was written behind the others.
  mutating func wrote(_ sealed: [UInt8], _ record: JournalRecord) {
    end += sealed.count
    seal.wrote(sealed)
    take(record)
  }
}
