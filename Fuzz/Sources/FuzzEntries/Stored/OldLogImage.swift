import Ciphers
import Encodings

/// The two files of an audit log of version 1, written here a second time, so that bodies of the input's choosing stand behind
/// right hashes.
struct OldLogImage {
  private static let id = [UInt8](repeating: 5, count: 16)
  private(set) var log: [UInt8]
  /// Number of entries, length and chain value after each entry; the first is the empty log's.
  private var positions: [(end: Int, chain: Bytes32)]

  init() {
    log = Array("HFAUDIT\0".utf8) + [0, 0, 0, 1, 0, 0, 0, 0] + Self.id
    positions = [(log.count, SHA256.digest(of: log))]
  }

  var count: Int { positions.count - 1 }
  var end: Int { log.count }

  /// Adds a record: length 4, sequence 8, check 4, time 8, body, chain value 32, length 4.
  mutating func append(time: Int64, body: [UInt8]) {
    let chain = positions[count].chain
    let length = big(UInt32(24 + body.count + 36))
    let start = length + big(UInt64(count + 1))
    let record = start + hash(chain, start).array.prefix(4) + big(time) + body
    let next = hash(chain, record)
    log += record + next.array + length
    positions.append((log.count, next))
  }

  /// The head that names the entry of that number, with this many entries said.
  func head(at entry: Int, saying count: UInt64) -> [UInt8] {
    let (end, chain) = positions[entry]
    let bytes =
      Array("HFAUDHD\0".utf8) + [0, 0, 0, 1, 0, 0, 0, 0] + Self.id + big(count) + big(UInt64(end)) + chain.array
    return bytes + SHA256.digest(of: bytes).array
  }

  private func hash(_ chain: Bytes32, _ bytes: [UInt8]) -> Bytes32 { SHA256.digest(of: chain.array + bytes) }

  private func big(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
