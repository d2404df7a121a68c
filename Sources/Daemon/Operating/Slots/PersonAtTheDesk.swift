internal import Glibc
internal import SecretMemory
internal import Unlocking

/// Who this process runs for, as PAM knows them, and how to tell them something.
enum PersonAtTheDesk {
  /// The longest message that is shown, in bytes.
  private static let longest = 512

  /// Answers gates with the login password, where there is one. A finger needs none.
  static func gate(_ secrets: [String: SecretBox]) -> PAMGate? {
    guard let name else { return nil }
    return PAMGate(user: name, password: secrets["login"]) { text in say(text) }
  }

  /// The account's name.
  static var name: String? {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { room in
      var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
      let start = room.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard start.map({ getpwuid_r(geteuid(), &entry, $0, room.count, &found) }) == 0, found != nil, let name = entry.pw_name
      else { return nil }
      return String(cString: name)
    }
  }

  /// "Place your finger on the reader": a module's words, without what a terminal would obey.
  private static func say(_ text: String) {
    var line = text.utf8.prefix(longest).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 } + [0x0A]
    _ = write(2, &line, line.count)
  }
}
