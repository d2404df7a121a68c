import Encodings
import Platform
import Signer

/// A moment by two clocks: the wall clock, which anybody may set, and the clock that counts since the machine was started, which
/// nobody can set.
package struct Moment: Sendable {
  /// Seconds since 1970-01-01 UTC.
  let wall: Int64
  /// Milliseconds since the machine was started, sleep included (CLOCK_BOOTTIME).
  let boot: Int64
  /// Which start of the machine that was. Nil if the system does not say.
  let start: [UInt8]?

  package static var now: Moment { Moment(wall: Clock.seconds, boot: Clock.bootMilliseconds, start: thisStart) }

  /// The length in bytes of the id that the kernel gives each start: a UUID as text.
  static let startLength = 36

  private static let thisStart = start(
    id: FileSystem.read("/proc/sys/kernel/random/boot_id", limit: 64),
    offsets: FileSystem.read("/proc/self/timens_offsets", limit: 256))

  /// - Parameters:
  ///   - id: the id of the start, as the kernel gives it.
  ///   - offsets: the offsets of this process's clocks, by name. Nil if the kernel has no clocks of processes.
  /// - Returns: nil if the boot clock is not the machine's, as in a time namespace. Any user may make one, so no time counts
  ///   there.
  static func start(id: [UInt8]?, offsets: [UInt8]?) -> [UInt8]? {
    guard let id, id.count >= startLength, !isShifted(offsets ?? []) else { return nil }
    return Array(id.prefix(startLength))
  }

  // Each line has a name, seconds and nanoseconds.
  private static func isShifted(_ offsets: [UInt8]) -> Bool {
    String(decoding: offsets, as: UTF8.self).split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      return words.first == "boottime" && words.dropFirst().contains { $0 != "0" }
    }
  }
}

// The value of the setting `guardian.clock`, for docs/GUARDIANS.md; numbers big-endian.
//
//   8  counted (milliseconds)     8  the boot clock then (milliseconds)     36  which start of the machine

/// How much time was counted for the waits of requests, and when that was stored.
///
/// Between two moments of one start of the machine all time counts, even while no signer ran. The time between two starts is
/// known from the wall clock only, so none of it counts.
struct CountedTime: Sendable, Equatable {
  /// Milliseconds.
  let counted: Int64
  let boot: Int64
  let start: [UInt8]

  /// - Returns: the milliseconds counted by then. Unchanged for a moment of another start, or for one before the stored moment.
  func counted(at moment: Moment) -> Int64 {
    guard moment.start == start, moment.boot > boot else { return counted }
    let (sum, isTooLarge) = counted.addingReportingOverflow(moment.boot - boot)
    return isTooLarge ? counted : sum
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: counted)
    bytes.append(bigEndian: boot)
    return bytes + start
  }

  init(counted: Int64, boot: Int64, start: [UInt8]) { (self.counted, self.boot, self.start) = (counted, boot, start) }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let counted: Int64 = reader.integer(), let boot: Int64 = reader.integer(), counted >= 0, boot >= 0,
      let start = reader.take(Moment.startLength), reader.isAtEnd
    else { return nil }
    self.init(counted: counted, boot: boot, start: Array(start))
  }
}
