/// IPv6 addresses as text (RFC 4291, section 2.2, and RFC 5952).
enum IPv6Text {
  private static let count = 8
  private static let (colon, dot) = (UInt8(ascii: ":"), UInt8(ascii: "."))

  /// - Parameter text: in lower case, without brackets.
  /// - Returns: eight pieces of 16 bits; nil when the text is not an IPv6 address.
  static func pieces(_ text: ArraySlice<UInt8>) -> [UInt16]? {
    guard let gap = gap(in: text) else { return list(text, mayEndInIPv4: true).flatMap { $0.count == count ? $0 : nil } }
    guard let head = list(text[..<gap], mayEndInIPv4: false), let tail = list(text[(gap + 2)...], mayEndInIPv4: true),
      head.count + tail.count < count
    else { return nil }
    return head + Array(repeating: 0, count: count - head.count - tail.count) + tail
  }

  /// In brackets, or as IPv4 where it stands for such an address (RFC 4291, section 2.5.5.2): the kernel connects to that.
  static func text(_ pieces: [UInt16]) -> String {
    if pieces.prefix(6).elementsEqual([0, 0, 0, 0, 0, 0xffff]) {
      return HostAddress.dotted(UInt32(pieces[6]) << 16 | UInt32(pieces[7]))
    }
    let zeros = longestZeros(pieces)
    guard zeros.count > 1 else { return "[\(hexadecimal(pieces[...]))]" }
    return "[\(hexadecimal(pieces[..<zeros.lowerBound]))::\(hexadecimal(pieces[zeros.upperBound...]))]"
  }

  /// Where `::` stands first.
  private static func gap(in text: ArraySlice<UInt8>) -> Int? {
    text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
  }

  private static func list(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt16]? {
    if text.isEmpty { return [] }
    let parts = text.split(separator: colon, omittingEmptySubsequences: false)
    guard parts.count <= count else { return nil }
    var pieces: [UInt16] = []
    for (place, part) in parts.enumerated() {
      if mayEndInIPv4, place == parts.count - 1, part.contains(dot) {
        guard let address = ipv4(part) else { return nil }
        pieces += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
        continue
      }
      guard (1...4).contains(part.count), part.allSatisfy({ HostAddress.hexadecimal($0) != nil }),
        let piece = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
      else { return nil }
      pieces.append(piece)
    }
    return pieces
  }

  /// Four decimal numbers; within IPv6 there are no other forms.
  private static func ipv4(_ text: ArraySlice<UInt8>) -> UInt32? {
    let parts = text.split(separator: dot, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy(HostAddress.isDigit), part.count == 1 || part.first != 0x30,
        let number = UInt8(String(decoding: part, as: UTF8.self))
      else { return nil }
      address = address << 8 | UInt32(number)
    }
    return address
  }

  /// The first of the longest runs.
  private static func longestZeros(_ pieces: [UInt16]) -> Range<Int> {
    var (longest, start) = (0..<0, 0)
    for (place, piece) in pieces.enumerated() {
      if piece != 0 { start = place + 1 }
      if place + 1 - start > longest.count { longest = start..<(place + 1) }
    }
    return longest
  }

  private static func hexadecimal(_ pieces: ArraySlice<UInt16>) -> String {
    pieces.map { String($0, radix: 16) }.joined(separator: ":")
  }
}
