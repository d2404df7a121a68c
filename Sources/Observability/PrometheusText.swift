import Signer

/// The text format 0.0.4 of Prometheus: families of samples, each with a line that explains it.
struct PrometheusText {
  /// The content type of the format.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String { case counter, gauge, histogram }
  typealias Label = (name: StaticString, value: String)

  private(set) var text = ""
  private var family = ""

  /// Begins a family; its samples follow.
  /// - Parameter help: one line without a backslash.
  mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
    family = "\(name)"
    text += "# HELP \(family) \(help)\n# TYPE \(family) \(kind.rawValue)\n"
  }

  mutating func sample(_ value: Int64, _ labels: Label...) { line("", labels, "\(value)") }
  mutating func sample(_ value: Int, _ labels: Label...) { line("", labels, "\(value)") }
  mutating func sample(_ value: Bool, _ labels: Label...) { line("", labels, value ? "1" : "0") }

  /// A family with one number.
  mutating func single(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: Int64) {
    begin(name, kind, help)
    sample(value)
  }

  /// A family with one histogram, in seconds.
  mutating func histogram(_ name: StaticString, _ help: StaticString, _ histogram: Histogram) {
    begin(name, .histogram, help)
    var sum: UInt64 = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      sum &+= count
      line("_bucket", [("le", Self.seconds(bound))], "\(sum)")
    }
    let count = histogram.count
    line("_bucket", [("le", "+Inf")], "\(count)")
    line("_sum", [], Self.seconds(histogram.sum))
    line("_count", [], "\(count)")
  }

  private mutating func line(_ suffix: String, _ labels: [Label], _ value: String) {
    text += family + suffix
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
    }
    text += " " + value + "\n"
  }

  static func escaped(_ value: String) -> String {
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): bytes += Array(#"\\"#.utf8)
      case UInt8(ascii: "\""): bytes += Array(#"\""#.utf8)
      case 0x0A: bytes += Array(#"\n"#.utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nanoseconds as seconds in decimals, exact.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = Array("\(rest)".utf8)
    digits = [UInt8](repeating: 0x30, count: 9 - digits.count) + digits
    while digits.last == 0x30 { digits.removeLast() }
    return "\(whole)." + String(decoding: digits, as: UTF8.self)
  }
}
