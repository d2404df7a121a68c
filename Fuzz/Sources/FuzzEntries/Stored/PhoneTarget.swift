import Curve
import Encodings
import Nostr
import NotificationServiceCore
import RemoteSigning

extension FuzzTarget {
  /// What a push says; and the plaintexts of the files that an iPhone's app and its extension share, and the journal's file itself.
  static let phone = FuzzTarget("phone") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    switch feed.index(below: 4) {
    case 0: try push(feed.remaining())
    case 1: try state(feed.remaining())
    case 2: try record(feed.remaining())
    default:
      guard let key = try? ExtensionKey.random() else { return }
      try require(
        ExtensionJournal.entriesOfAny(feed.remaining(), key: key) == nil, "nothing is read that was sealed with another key")
    }
  }

  private static func push(_ bytes: [UInt8]) throws(FuzzFault) {
    guard let push = try? PushPayload(parsing: bytes) else { return }
    try require(bytes.count <= PushPayload.longest, "a push has a limit")
    try require(push.event.map { $0.id == push.eventID } ?? true, "the event is the one that is named")
  }

  private static func state(_ bytes: [UInt8]) throws(FuzzFault) {
    guard let state = ExtensionState.ofAny(bytes), let key = try? ExtensionKey.random(),
      let sealed = try? state.sealed(with: key, journal: .init())
    else { return }
    let read = try unfailing("a state that was read is written and read again") {
      try ExtensionState.open(sealed, with: key).state
    }
    try require(
      read.revision == state.revision && read.pairings.map(\.value) == state.pairings.map(\.value) && read.seen == state.seen
        && read.waiting == state.waiting && read.signed == state.signed, "and is the same")
  }

  private static func record(_ bytes: [UInt8]) throws(FuzzFault) {
    guard let (isSame, isStable) = ExtensionJournal.recordOfAny(bytes) else { return }
    try require(isSame && isStable, "a record that was read is written and read again")
  }
}
