import Platform

/// The port that the owner chose for this home's signer, in the file `port`: decimal digits and a line feed. Paired apps know the port, so
/// that a later start without `--listen` has to be there again.
///
/// Only ports of this machine's own address are kept: whoever can write the file could open the signer to the network else.
package struct HomePort: Sendable {
  /// The file's name.
  static let fileName = "port"
  /// Five digits and a line feed.
  private static let longest = 6

  private let path: String

  package init(of home: Home) { path = home.path + "/" + Self.fileName }

  /// The port; nil when there is no such file, or something else in it.
  package var port: UInt16? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest + 1)
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    guard (2...Self.longest).contains(count), bytes[count - 1] == UInt8(ascii: "\n") else { return nil }
    let digits = bytes[..<(count - 1)]
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self)).flatMap { $0 == 0 ? nil : $0 }
  }

  /// Keeps the port. On a disk that is full it is not kept: the signer runs without it.
  package func keep(_ port: UInt16) {
    guard port != 0, port != self.port else { return }
    let new = path + ".new"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let isWritten = writeWhole(Array("\(port)\n".utf8), to: file) && fsync(file) == 0
    close(file)
    if !isWritten || rename(new, path) != 0 { unlink(new) }
  }
}
