import SecretMemory

/// Collects one HTTP/1.1 response: status line, headers, and a body of a stated length or up to the end of the connection.
///
/// All of it is stored as a secret, since the body may contain one.
package struct AnswerReader: ~Copyable {
  private static let firstRoom = 64 << 10
  /// The longest status line and headers, in bytes.
  static let longestHead = 16 << 10

  private let limit: Int
  private var bytes: SecretBuffer
  private var head: Head?

  private struct Head {
    let length: Int
    let bodyLength: Int?
  }

  /// - Throws: when there is no guarded memory.
  package init(limit: Int) throws(ControlError) {
    self.limit = limit
    do { bytes = try SecretBuffer(capacity: Self.firstRoom) } catch { throw .outOfMemory }
  }

  package mutating func take(_ more: ArraySlice<UInt8>) throws(ControlError) {
    guard more.count <= limit - bytes.count else { throw .answerTooLong(limit: limit) }
    do { try more.withUnsafeBytes { try bytes.append($0) } } catch { throw .outOfMemory }
    if head == nil {
      head = try bytes.withBytes { (bytes) throws(ControlError) in try Self.readHead(bytes) }
    }
    if let stated = head?.bodyLength, stated > limit { throw .answerTooLong(limit: limit) }
  }

  /// Whether the response is complete.
  /// - Parameter isOpen: whether the connection may still deliver bytes.
  package func isWhole(_ isOpen: Bool) throws(ControlError) -> Bool {
    if let head, let stated = head.bodyLength, bytes.count - head.length >= stated { return true }
    if isOpen { return false }
    guard let head else { throw bytes.count == 0 ? .connectionLost : .answerMalformed }
    guard head.bodyLength == nil else { throw .connectionLost }
    return true
  }

  /// Lends the body for the length of one call. Empty before the head is complete.
  package borrowing func withBody<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    let head = head
    return bytes.withBytes { bytes in
      guard let head else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
      return body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(head.length).prefix(head.bodyLength ?? .max)))
    }
  }

  private static func readHead(_ bytes: UnsafeRawBufferPointer) throws(ControlError) -> Head? {
    guard let end = endOfHead(bytes) else {
      if bytes.count > longestHead { throw .answerMalformed }
      return nil
    }
    let lines = bytes[..<(end - 4)].split(separator: 0x0A).map { line in
      String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self)
    }
    guard let status = lines.first, status.utf8.starts(with: "HTTP/1.1 ".utf8) else { throw .answerMalformed }
    var bodyLength: Int?
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard let name = parts.first?.lowercased() else { throw .answerMalformed }
      // Our daemon states the length. The end of anything else cannot be found here.
      if name == "transfer-encoding" { throw .answerMalformed }
      guard name == "content-length" else { continue }
      let text = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
      guard bodyLength == nil, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let stated = Int(text) else {
        throw .answerMalformed
      }
      bodyLength = stated
    }
    return Head(length: end, bodyLength: bodyLength)
  }

  /// The offset after the empty line.
  private static func endOfHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    let searched = bytes.prefix(longestHead + mark.count)
    guard searched.count >= mark.count else { return nil }
    for start in 0...(searched.count - mark.count)
    where searched[start] == 0x0D && searched[start..<start + mark.count].elementsEqual(mark) {
      return start + mark.count
    }
    return nil
  }
}
