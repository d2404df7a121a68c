/// Writes all bytes, however few the kernel takes at once. Not for secrets: nothing is wiped.
/// - Returns: false after an error, with its reason in `errno`; some of the bytes may be written then.
public func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var done = 0
  while done < bytes.count {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, $0.count - done) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    done += count
  }
  return true
}
