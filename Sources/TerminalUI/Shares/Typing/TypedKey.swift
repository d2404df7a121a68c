/// What a key means where words are typed.
enum TypedKey: Equatable {
  /// In lower case.
  case letter(UInt8)
  /// Ends a word: space, tab, comma, a digit, a dot.
  case space
  case enter
  /// Takes one letter back.
  case erase
  /// Takes a word back.
  case eraseWord
  case previous, next
  /// Takes the last share back.
  case takeBack
  case end
}

/// Makes keys of the bytes a terminal sends, over as many reads as it takes.
struct KeyReader {
  private enum State { case plain, escape, sequence }
  private var state = State.plain

  /// - Returns: nil for a byte that means nothing, or nothing yet.
  mutating func key(_ byte: UInt8) -> TypedKey? {
    switch state {
    case .plain: return plain(byte)
    case .escape:
      state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .plain
      return nil
    case .sequence:
      guard (0x40...0x7e).contains(byte) else { return nil }
      state = .plain
      return switch byte {
      case UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "Z"): .previous
      case UInt8(ascii: "B"), UInt8(ascii: "C"): .next
      default: nil
      }
    }
  }

  private mutating func plain(_ byte: UInt8) -> TypedKey? {
    switch byte {
    case 0x1b:
      state = .escape
      return nil
    case 0x61...0x7a: return .letter(byte)
    case 0x41...0x5a: return .letter(byte | 0x20)
    case 0x0a, 0x0d: return .enter
    case 0x08, 0x7f: return .erase
    case 0x15, 0x17: return .eraseWord  // Ctrl-U, Ctrl-W
    case 0x12: return .takeBack  // Ctrl-R
    case 0x04: return .end  // Ctrl-D
    case 0x20, 0x09, 0x2c, 0x2e, 0x30...0x39: return .space
    default: return nil
    }
  }
}
