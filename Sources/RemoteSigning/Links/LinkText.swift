import Curve
import Encodings

/// What every pairing link is made of: `scheme://<64 hex>?name=value&…`.
struct LinkText {
  /// The longest link taken, in bytes.
  static let maximumLength = 4096
  /// The most parameters one link may have; the rest would be noise.
  static let maximumParameters = 64

  /// The key between scheme and question mark, and the parameters in their order, values still percent-encoded.
  let key: Bytes32
  let parameters: [(name: String, value: ArraySlice<UInt8>)]

  enum Fault: Error { case tooLong, wrongScheme, keyNotHex32, keyNotOnCurve, tooManyParameters }

  init(parsing text: String, scheme: String) throws(Fault) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
    let prefix = Array((scheme + "://").utf8)
    guard bytes.count > prefix.count, zip(bytes, prefix).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { throw .wrongScheme }
    let rest = bytes[prefix.count...]
    let keyEnd = rest.firstIndex { $0 == 0x3f || $0 == 0x2f } ?? rest.endIndex
    guard let key = Bytes32(hex: rest[..<keyEnd]) else { throw .keyNotHex32 }
    guard PublicKey(key).isOnCurve else { throw .keyNotOnCurve }
    self.key = key
    guard let queryStart = rest.firstIndex(of: 0x3f) else {
      parameters = []
      return
    }
    let query = rest[(queryStart + 1)...].prefix { $0 != 0x23 }
    let pairs = query.split(separator: 0x26, maxSplits: Self.maximumParameters, omittingEmptySubsequences: true)
    guard pairs.count <= Self.maximumParameters else { throw .tooManyParameters }
    parameters = pairs.map { pair in
      let equals = pair.firstIndex(of: 0x3d) ?? pair.endIndex
      let value = equals < pair.endIndex ? pair[(equals + 1)...] : pair[pair.endIndex...]
      return (String(decoding: pair[..<equals], as: UTF8.self), value)
    }
  }

  /// The first value of that name, decoded. Nil when it is missing, empty or not UTF-8.
  func first(_ name: String, plusIsSpace: Bool = false) -> String? {
    guard let parameter = parameters.first(where: { $0.name == name }) else { return nil }
    guard let text = Self.decoded(parameter.value, plusIsSpace: plusIsSpace), !text.isEmpty else { return nil }
    return text
  }

  /// All non-empty values of that name, decoded, nil for one that is not UTF-8.
  func all(_ name: String) -> [String?] {
    parameters.filter { $0.name == name && !$0.value.isEmpty }.map { Self.decoded($0.value, plusIsSpace: false) }
  }

  /// Percent-decoding (RFC 3986, section 2.1). A stray percent sign stands for itself: links met in the field hold raw JSON.
  static func decoded(_ value: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var index = value.startIndex
    while index < value.endIndex {
      let byte = value[index]
      if byte == 0x25, index + 2 < value.endIndex, let high = Hex.value(of: value[index + 1]),
        let low = Hex.value(of: value[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(byte == 0x2b && plusIsSpace ? 0x20 : byte)
        index += 1
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Percent-encodes all but letters, digits, `-`, `_` and `.`: what every known parser reads.
  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: bytes.append(byte)
      default:
        bytes.append(0x25)
        bytes.append(contentsOf: Hex.encode([byte]).uppercased().utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
