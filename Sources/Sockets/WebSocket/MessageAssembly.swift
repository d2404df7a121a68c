/// Joins the pieces of a message, within the limits.
package struct MessageAssembly {
  package enum Step: Equatable {
    case incomplete
    case complete([UInt8])
    case fault(CloseReason)
  }

  private let limit: Int
  private var gathered: [UInt8] = []
  private var frames = 0

  package init(limit: Int) { self.limit = limit }

  /// Memory that the incomplete message takes, in bytes.
  package var heldBytes: Int { gathered.capacity }

  /// Frees the memory.
  package mutating func forget() { gathered = [] }

  /// - Parameters:
  ///   - piece: the next bytes, as they came.
  ///   - bytesToCome: the bytes that the frame's header announces after this piece.
  ///   - endsFrame: whether the piece is the last of its frame.
  ///   - endsMessage: whether the frame is the last of its message.
  package mutating func add(_ piece: UnsafeRawBufferPointer, bytesToCome: Int, endsFrame: Bool, endsMessage: Bool) -> Step {
    let (sum, overflow) = gathered.count.addingReportingOverflow(piece.count)
    let (promised, overflows) = sum.addingReportingOverflow(max(0, bytesToCome))
    guard !overflow, !overflows, promised <= limit else { return .fault(.messageTooLarge) }
    gathered.append(contentsOf: piece)
    if endsFrame { frames += 1 }
    guard endsFrame, endsMessage else { return frames >= SocketLimits.fragments ? .fault(.tooManyFragments) : .incomplete }
    defer {
      gathered = []
      frames = 0
    }
    return gathered.withUnsafeBytes(isValidUTF8) ? .complete(gathered) : .fault(.notUTF8)
  }
}

/// Whether the bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
package func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var place = 0
  while place < bytes.count {
    if place + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
      place += 8
      continue
    }
    guard let length = sequenceLength(bytes, at: place) else { return false }
    place += length
  }
  return true
}

private func sequenceLength(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
  let first = bytes[place]
  if first < 0x80 { return 1 }
  let length: Int
  let secondRange: ClosedRange<UInt8>
  switch first {
  case 0xC2...0xDF: (length, secondRange) = (2, 0x80...0xBF)
  case 0xE0: (length, secondRange) = (3, 0xA0...0xBF)
  case 0xED: (length, secondRange) = (3, 0x80...0x9F)
  case 0xE1...0xEF: (length, secondRange) = (3, 0x80...0xBF)
  case 0xF0: (length, secondRange) = (4, 0x90...0xBF)
  case 0xF1...0xF3: (length, secondRange) = (4, 0x80...0xBF)
  case 0xF4: (length, secondRange) = (4, 0x80...0x8F)
  default: return nil
  }
  guard bytes.count - place >= length, secondRange.contains(bytes[place + 1]) else { return nil }
  if length >= 3, bytes[place + 2] & 0xC0 != 0x80 { return nil }
  if length == 4, bytes[place + 3] & 0xC0 != 0x80 { return nil }
  return length
}
