/// A line as systemd-journald takes it by datagram: `FIELD=value\n` for each field, or, where a value holds a line break,
/// `FIELD\n`, its length in eight bytes (little-endian), the value and `\n`. See systemd.io/JOURNAL_NATIVE_PROTOCOL.
enum JournalMessage {
  /// The most bytes of one value; the rest is cut. All fields of a line stay far below what a datagram holds.
  static let longestValue = 2048

  static func bytes(_ notice: Notice) -> [UInt8] {
    var bytes: [UInt8] = []
    field("MESSAGE", notice.message, &bytes)
    field("PRIORITY", "\(notice.priority.rawValue)", &bytes)
    field("SYSLOG_IDENTIFIER", "holdfast", &bytes)
    field("HOLDFAST_EVENT", notice.event.rawValue, &bytes)
    for entry in notice.fields { field(entry.name.rawValue, entry.value, &bytes) }
    return bytes
  }

  static func field(_ name: String, _ value: String, _ bytes: inout [UInt8]) {
    let value = value.utf8.prefix(longestValue)
    bytes += Array(name.utf8)
    if value.contains(0x0A) {
      bytes.append(0x0A)
      withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value
    bytes.append(0x0A)
  }
}
