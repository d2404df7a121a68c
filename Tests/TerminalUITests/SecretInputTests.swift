import Foundation
import SecretMemory
import Testing

@testable import TerminalUI

extension SecretBytes {
  fileprivate borrowing func text() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }
}

private func withFile<R>(_ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
  try Data(bytes).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  return try body(file.path)
}

@Suite struct SecretInputTests {
  @Test(
    "One line break at the end of a secret file is left out",
    arguments: [
      ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"), ("secret\n\n", "secret\n"), (" a b ", " a b "),
      ("a\r", "a\r"), ("\nx", "\nx"),
    ])
  func trimsOneLineBreakAtTheEnd(content: String, secret: String) throws {
    let read = try withFile(Array(content.utf8)) { try SecretInput.read(file: $0).text() }
    #expect(read == secret)
  }

  @Test("An empty secret is refused", arguments: ["", "\n", "\r\n"]) func refusesAnEmptySecret(content: String) throws {
    let (path, read) = try withFile(Array(content.utf8)) { path in
      (path, Result { () throws(SecretInputError) in try SecretInput.read(file: path).count })
    }
    #expect(read == .failure(.inFile(path: path, .empty)))
  }

  @Test("Reading a secret stops at the limit", arguments: [(4096, true), (4097, true), (4098, false), (100_000, false)])
  func stopsAtTheLimit(count: Int, fits: Bool) throws {
    var bytes = [UInt8](repeating: 0x61, count: count)
    if count == 4097 { bytes[4096] = 0x0A }
    let (path, read) = try withFile(bytes) { path in
      (path, Result { () throws(SecretInputError) in try SecretInput.read(file: path).count })
    }
    #expect(read == (fits ? .success(4096) : .failure(.inFile(path: path, .tooLong(limit: 4096)))))
  }

  @Test("A secret file that cannot be read is reported with the reason") func saysWhyAFileCannotBeRead() {
    #expect(throws: SecretInputError.inFile(path: "/nonexistent/file", .notReadable(code: ENOENT))) {
      _ = try SecretInput.read(file: "/nonexistent/file")
    }
    #expect(throws: SecretInputError.inFile(path: "/tmp", .notReadable(code: EISDIR))) { _ = try SecretInput.read(file: "/tmp") }
    #expect(throws: SecretInputError.descriptorNotOpen) { _ = try SecretInput.read(descriptor: 987_654) }
  }

  @Test("A secret is read from a pipe in pieces") func readsAPipeInPieces() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let writer = Thread {
      for piece in ["correct ", "horse ", "battery\n"] { Output.write(Array(piece.utf8), to: writing) }
      close(writing)
    }
    writer.start()
    let read = try SecretInput.read(descriptor: reading).text()
    close(reading)
    #expect(read == "correct horse battery")
  }
}
