/// Native messaging, as Chromium and Firefox have it: the browser starts a program and exchanges messages with it over its standard
/// streams. A message is its length in bytes, 32 bits in the machine's order, and then JSON.
package enum NativeMessaging {
  /// The name by which the extension asks the browser for this program.
  package static let hostName = "org.holdfast.signer"
  /// The name of the file that tells a browser which program that is.
  package static let manifestName = hostName + ".json"
  /// The most bytes of a message from the browser.
  package static let longestRequest = 1 << 20
  /// The most bytes of a message to the browser. Chromium ends a program that sends more.
  package static let longestAnswer = 1 << 20
  /// The bytes before a message.
  package static let headBytes = 4

  /// A message with its length before it.
  package static func frame(_ message: [UInt8]) -> [UInt8] {
    Swift.withUnsafeBytes(of: UInt32(clamping: message.count)) { Array($0) } + message
  }
}

/// Splits the stream of bytes that a browser sends into messages.
package struct NativeFrames {
  /// Why the stream cannot go on.
  package enum Fault: Error, Equatable {
    case empty
    case tooLong(limit: Int)
  }

  private var unread: [UInt8] = []

  package init() {}

  /// The bytes of a message that has not arrived as a whole.
  package var count: Int { unread.count }

  /// Appends what was read.
  package mutating func take(_ bytes: ArraySlice<UInt8>) { unread += bytes }

  /// The next message that has arrived as a whole. Nil when more must be read first.
  /// - Throws: as soon as a length is wrong: before the message has arrived.
  package mutating func next() throws(Fault) -> [UInt8]? {
    guard unread.count >= NativeMessaging.headBytes else { return nil }
    let length = Int(unread.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    guard length > 0 else { throw .empty }
    guard length <= NativeMessaging.longestRequest else { throw .tooLong(limit: NativeMessaging.longestRequest) }
    let end = NativeMessaging.headBytes + length
    guard unread.count >= end else { return nil }
    defer { unread.removeSubrange(..<end) }
    return Array(unread[NativeMessaging.headBytes..<end])
  }
}
