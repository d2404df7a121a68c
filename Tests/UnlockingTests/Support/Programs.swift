import Foundation
import Testing

/// A folder of the test's own, gone with its owner.
final class Folder: Sendable {
  let path: String

  init() throws {
    var name = Array("/tmp/holdfast-unlocking-XXXXXX\0".utf8CString)
    guard mkdtemp(&name) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func make(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    return file(name)
  }
}

/// A program that the test started. Its input and output are files: pipes would be handed to the next program, too.
final class Program {
  let pid: pid_t
  private let folder: Folder
  private var status: Int32?

  /// - Parameter environment: in addition to the test's own.
  init(_ name: String, _ arguments: [String], environment: [String: String] = [:], input: String = "") throws {
    folder = try Folder()
    try input.write(toFile: folder.file("input"), atomically: true, encoding: .utf8)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, folder.file("input"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, folder.file("output"), O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // A test's thread has signals blocked; its children are to end when they are told.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let surroundings = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { $0 + "=" + $1 }
    var (words, variables) = (([name] + arguments).map { strdup($0) } + [nil], surroundings.map { strdup($0) } + [nil])
    defer { for text in words + variables { free(text) } }
    var pid: pid_t = 0
    let status = posix_spawnp(&pid, name, &actions, &attributes, &words, &variables)
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOENT) }
    self.pid = pid
  }

  deinit { stop() }

  var output: String { (try? String(contentsOfFile: folder.file("output"), encoding: .utf8)) ?? "" }

  /// Waits for its end.
  @discardableResult
  func end() -> Int32 {
    if let status { return status }
    var wait: Int32 = 0
    while waitpid(pid, &wait, 0) == -1 && errno == EINTR {}
    let code = wait & 0x7F == 0 ? wait >> 8 & 0xFF : 128 + wait & 0x7F
    status = code
    return code
  }

  /// Ends it, when it has not ended.
  func stop(_ signal: Int32 = SIGTERM) {
    guard status == nil else { return }
    kill(pid, signal)
    end()
  }
}

/// Runs a program to its end.
@discardableResult
func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = ""
) throws -> (status: Int32, output: String) {
  let program = try Program(program, arguments, environment: environment, input: input)
  let status = program.end()
  return (status, program.output)
}
