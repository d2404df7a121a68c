import Platform

/// The stream to the browser. Each message goes out as a whole, whichever thread sends it.
final class BrowserOutput: Sendable {
  private let descriptor: Int32
  /// False once the browser reads no more.
  private let isOpen = Locked(true)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Returns: false when the browser has gone.
  @discardableResult func send(_ message: [UInt8]) -> Bool {
    let bytes = NativeMessaging.frame(message)
    return isOpen.withLock { isOpen in
      isOpen = isOpen && writeWhole(bytes, to: descriptor)
      return isOpen
    }
  }
}
