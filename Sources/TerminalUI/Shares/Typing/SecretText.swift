import Platform
import SecretMemory

/// A text with secrets in it on its way to a terminal: put together in guarded memory, wiped when it was written.
struct SecretText: ~Copyable {
  private var bytes: SecretBytes
  private var end = 0

  /// - Parameter capacity: bytes; what does not fit is left out.
  init(capacity: Int) throws(SecretInputError) {
    do throws(SecretBytesError<Never>) { bytes = try SecretBytes(count: capacity) { _ in } } catch { throw .outOfMemory }
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  mutating func add(_ added: UnsafeRawBufferPointer) {
    let (start, room) = (end, bytes.count - end)
    let part = UnsafeRawBufferPointer(rebasing: added.prefix(room))
    bytes.mutate { UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: part) }
    end += part.count
  }

  /// Writes it whole, through interruptions and short writes.
  consuming func write(to descriptor: Int32) {
    bytes.withBytes { bytes in
      var rest = bytes.prefix(end)
      while !rest.isEmpty {
        let count = Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// For tests: what was put together.
  borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.withBytes { body(UnsafeRawBufferPointer(rebasing: $0.prefix(end))) }
  }
}
