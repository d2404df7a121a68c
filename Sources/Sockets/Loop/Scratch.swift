import CWebSockets
import SecretMemory

/// The buffer that outgoing bytes are copied to, with the space in front that libwebsockets requires (LWS_PRE).
///
/// The loop needs only one, because each write is complete before the next begins. libwebsockets masks a client's bytes in place,
/// here.
struct Scratch {
  static let keptBytes = 64 * 1024
  private var buffer: [UInt8] = []

  mutating func withRoom<Result>(for count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
    let needed = HOLDFAST_LWS_PRE + count
    if buffer.count < needed { buffer = [UInt8](repeating: 0, count: max(needed, 4_096)) }
    defer { if buffer.count > Self.keptBytes { buffer = [] } }
    return buffer.withUnsafeMutableBufferPointer { body($0.baseAddress! + HOLDFAST_LWS_PRE) }  // never empty: see `max`
  }

  /// Lends a copy of `bytes` and wipes it afterwards.
  mutating func with<Result>(secret bytes: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<UInt8>, Int) -> Result) -> Result
  {
    withRoom(for: bytes.count) { start in
      let copy = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
      copy.copyMemory(from: bytes)
      defer { wipe(copy) }
      return body(start, bytes.count)
    }
  }

  /// Lends a copy of `bytes`.
  mutating func with<Result>(_ bytes: ArraySlice<UInt8>, _ body: (UnsafeMutablePointer<UInt8>, Int) -> Result) -> Result {
    withRoom(for: bytes.count) { start in
      bytes.withUnsafeBufferPointer { source in
        if let base = source.baseAddress { start.update(from: base, count: source.count) }
      }
      return body(start, bytes.count)
    }
  }
}
