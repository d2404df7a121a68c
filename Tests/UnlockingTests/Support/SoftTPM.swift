import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Unlocking

/// A TPM of software (swtpm) with a state of its own, reached directly.
final class SoftTPM {
  let folder: Folder
  private var process: Program?

  init() throws {
    folder = try Folder()
    _ = try folder.make("state")
    try start()
  }

  deinit { stop() }

  /// As `HOLDFAST_TPM` names it.
  var name: String { "swtpm:path=" + folder.file("tpm") }

  func sealer(milliseconds: Int = 30_000) throws -> TPMSealer { try #require(TPMSealer(name, milliseconds: milliseconds)) }

  func start() throws {
    setenv("TSS2_LOG", "all+NONE", 1)
    process = try Program(
      "swtpm",
      [
        "socket", "--tpm2", "--tpmstate", "dir=" + folder.file("state"),
        "--server", "type=unixio,path=" + folder.file("tpm"), "--ctrl", "type=unixio,path=" + folder.file("tpm.ctrl"),
        "--flags", "not-need-init,startup-clear",
      ])
    // Both sockets are there a moment after the program is.
    try #require(comesTrue { ["tpm", "tpm.ctrl"].allSatisfy { access(folder.file($0), F_OK) == 0 } }, "swtpm does not answer")
  }

  func stop() {
    process?.stop()
    process = nil
    unlink(folder.file("tpm"))
    unlink(folder.file("tpm.ctrl"))
  }

  /// As an owner clears it in the firmware's settings.
  func clear() throws {
    let done = try run("tpm2_clear", ["-c", "p"], environment: ["TPM2TOOLS_TCTI": name])
    try #require(done.status == 0, "\(done.output)")
  }
}

/// Listens where a TPM should, and passes everything on to one that it writes down; or answers nothing, or not as a TPM does.
final class TPMListener: Sendable {
  let folder: Folder
  private let heard = Heard()
  private let sockets: [Int32]

  /// What went through, in both directions.
  private final class Heard: @unchecked Sendable {  // Sendable: behind its lock
    private let lock = NSLock()
    private var bytes = Data()
    func add(_ more: Data) { lock.withLock { bytes.append(more) } }
    var all: Data { lock.withLock { bytes } }
  }

  /// What it does where no TPM is behind it.
  enum Manner: CaseIterable {
    case silent
    /// It accepts each connection and closes it at once.
    case hangsUp
    /// Takes the settings, and ends the connection at the first command.
    case breaksOff
    /// Answers with bytes that are no answer.
    case nonsense
  }

  /// - Parameter tpm: nil for nobody.
  init(before tpm: SoftTPM?, else manner: Manner = .silent) throws {
    folder = try Folder()
    let (folder, heard) = (folder, heard)
    sockets = try ["tpm", "tpm.ctrl"].map { name in
      let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = Self.address(folder.file(name))
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(listening, $0, size) }
      }
      try #require(bound == 0 && listen(listening, 8) == 0)
      guard let tpm else {
        if manner != .silent { Self.serve(listening, manner, isControl: name == "tpm.ctrl") }
        return listening
      }
      let path = tpm.folder.file(name)
      Thread.detachNewThread {
        while case let near = accept(listening, nil, nil), near >= 0 {
          let far = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
          var address = Self.address(path)
          let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(far, $0, size) }
          }
          guard connected == 0 else { return }
          for (from, to) in [(near, far), (far, near)] {
            Thread.detachNewThread { Self.pass(from, to, heard) }
          }
        }
      }
      return listening
    }
  }

  deinit {
    for listening in sockets {
      shutdown(listening, Int32(SHUT_RDWR))
      close(listening)
    }
  }

  var name: String { "swtpm:path=" + folder.file("tpm") }
  var bytes: Data { heard.all }

  private static func serve(_ listening: Int32, _ manner: Manner, isControl: Bool) {
    Thread.detachNewThread {
      while case let near = accept(listening, nil, nil), near >= 0 {
        Thread.detachNewThread {
          defer { close(near) }
          var buffer = [UInt8](repeating: 0, count: 4096)
          while manner != .hangsUp, case let count = read(near, &buffer, buffer.count), count > 0 {
            if manner == .breaksOff, !isControl { return }
            let answer = manner == .breaksOff ? [0, 0, 0, 0] : [UInt8](repeating: 0xff, count: count)
            guard send(near, answer, answer.count, Int32(MSG_NOSIGNAL)) == answer.count else { return }
          }
        }
      }
    }
  }

  private static func pass(_ from: Int32, _ to: Int32, _ heard: Heard) {
    var buffer = [UInt8](repeating: 0, count: 8192)
    while case let count = read(from, &buffer, buffer.count), count > 0 {
      heard.add(Data(buffer.prefix(count)))
      _ = write(to, buffer, count)
    }
    shutdown(to, Int32(SHUT_WR))
  }

  private static func address(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }
}
