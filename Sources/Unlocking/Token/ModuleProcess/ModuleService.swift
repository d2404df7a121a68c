import CToken
import Encodings
import Platform
import SecretMemory
import Vault

/// The driver's side of the socket: reads requests, drives the token and answers, until the signer closes the connection.
struct ModuleService {
  let socket: Int32

  /// Ends at the end of the socket, or at an invalid request.
  func serve() {
    guard case .start? = head()?.0, let hasModule = bytes(1), let modules = start(hasModule == [1]), answer([]) else { return }
    var session = ModuleSession(modules, socket: self)
    while let (request, length) = head() {
      guard session.answer(request, length) else { return }
    }
  }

  private func start(_ hasModule: Bool) -> TokenModules? {
    do throws(KeyStoreError) {
      return try TokenModules(path: hasModule ? "/proc/self/fd/\(TokenProtocol.module)" : nil)
    } catch {
      refuse(error)
      return nil
    }
  }

  // MARK: the socket

  /// The next request and the length of its body. Nil at the end, and for an invalid request.
  private func head() -> (TokenRequest, Int)? {
    guard let bytes = bytes(TokenProtocol.headerLength) else { return nil }
    var reader = ByteReader(bytes[...])
    guard let request = reader.byte().flatMap(TokenRequest.init), let length: UInt32 = reader.integer(),
      length <= TokenProtocol.maximumRequest
    else { return nil }
    return (request, Int(length))
  }

  /// Reads that many bytes. Nil at the end.
  func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return bytes.withUnsafeMutableBytes { fill($0) } ? bytes : nil
  }

  /// Reads that many secret bytes, 1 or more.
  func secret(_ count: Int) -> SecretBox? {
    try? SecretBox(
      SecretBytes(count: count) { (room) throws(KeyStoreError) in
        guard fill(room) else { throw .deviceFailed("memory", code: 0) }
      })
  }

  private func fill(_ room: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < room.count {
      let count = recv(socket, room.baseAddress?.advanced(by: done), room.count - done, 0)
      if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
    }
    return true
  }

  /// - Returns: whether it was sent.
  func answer(_ bytes: [UInt8]) -> Bool { send(TokenProtocol.header(0, bytes.count) + bytes) }

  func answer(_ secret: borrowing SecretBytes) -> Bool {
    send(TokenProtocol.header(0, secret.count)) && secret.withBytes(write)
  }

  @discardableResult
  func refuse(_ error: KeyStoreError) -> Bool {
    send(TokenProtocol.header(1, TokenFailureCode.length) + TokenFailureCode.bytes(error))
  }

  private func send(_ bytes: [UInt8]) -> Bool { bytes.withBuffer(write) }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = Platform.send(socket, bytes.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
      if count > 0 { done += count } else if errno != EINTR { return false }
    }
    return true
  }
}
