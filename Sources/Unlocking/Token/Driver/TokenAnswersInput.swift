import Encodings
import Platform
import SecretMemory
import Vault

/// Reads the answers of a driver's process, for the fuzzer. Must not trap, and must not allocate more than an answer may have.
package enum TokenAnswersInput {
  /// Sends every kind of request, and reads the bytes as the answers.
  /// - Returns: how many requests had an answer that was accepted.
  package static func taken(_ bytes: UnsafeRawBufferPointer) -> Int {
    let channel = RecordedChannel(bytes)
    guard let driver = try? TokenDriver(channel, hasModule: true) else { return 0 }
    var taken = 1
    func count(_ step: () throws -> Void) { if (try? step()) != nil { taken += 1 } }
    var token: TokenDriver.Token?
    count { token = try driver.view().tokens.first }
    let id = [UInt8](repeating: 7, count: 16)
    if let token {
      count { _ = try TokenURI(of: token.info) }
      count { _ = try driver.can(token, .agreement) }
      count { try driver.logIn(token, pin: nil) }
    }
    for use in [TokenKeyUse.signing, .decryption(bits: 3072)] {
      count { _ = try driver.generate(use, id: id, label: "key") }
      count { _ = try driver.publicKey(id, use) }
    }
    count { _ = try driver.sign(Bytes32(), with: id) }
    count { _ = try driver.agree(id, with: id).count }
    count { _ = try driver.decrypt(id, with: id).count }
    count { try driver.delete(id) }
    return taken
  }
}

/// A driver that answers with an input's bytes.
private final class RecordedChannel: DriverChannel {
  private var rest: UnsafeRawBufferPointer.SubSequence
  private var isOver = false

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  func send(_ bytes: UnsafeRawBufferPointer, until deadline: TokenDeadline) throws(KeyStoreError) {
    guard !isOver else { throw .deviceFailed("its driver ended unexpectedly", code: 0) }
  }

  func receive(_ room: UnsafeMutableRawBufferPointer, until deadline: TokenDeadline) throws(KeyStoreError) {
    guard !isOver, room.count <= rest.count else { throw .deviceFailed("its driver ended unexpectedly", code: 0) }
    room.copyBytes(from: rest.prefix(room.count))
    rest = rest.dropFirst(room.count)
  }

  func giveUp() { isOver = true }
}
