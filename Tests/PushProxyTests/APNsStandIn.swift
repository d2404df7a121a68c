import Foundation
import JSON
import Platform
import TestSupport
import Testing

/// interop/push/apns_stand_in.py, a service like Apple's over HTTP/2 and TLS. It needs the Python packages that `make deps` installs.
final class APNsStandIn: Sendable {
  static let keyID = "ABC123DEFG"
  static let team = "DEF123GHIJ"
  static let topic = "app.example"

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The interpreter; nil when it or a package is missing.
  static let python: String? = {
    let path = ProcessInfo.processInfo.environment["HOLDFAST_PYTHON"] ?? root.appendingPathComponent(".venv/bin/python").path
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-c", "import h2, jwt, http_ece, cryptography"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? path : nil
  }()

  let port: Int
  /// The certificate to trust.
  var authority: String { folder.appendingPathComponent("ca.pem").path }
  private let folder: URL
  private let process: Process
  private let input: FileHandle
  private let lines: Locked<[JSONValue]>

  /// - Parameter key: the provider's public key, an uncompressed point.
  init(key: [UInt8]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-apns-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (stdin, stdout, process) = (Pipe(), Pipe(), Process())
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [
      "-m", "push.apns_stand_in", "--folder", folder.path, "--key", key.hex, "--key-id", Self.keyID, "--team", Self.team,
      "--topic", Self.topic,
    ]
    process.environment = ["PYTHONPATH": Self.root.appendingPathComponent("interop").path, "PYTHONDONTWRITEBYTECODE": "1"]
    (process.standardInput, process.standardOutput) = (stdin, stdout)
    try process.run()
    (self.process, input) = (process, stdin.fileHandleForWriting)
    let lines = Locked<[JSONValue]>([])
    self.lines = lines
    Self.read(stdout.fileHandleForReading, lines)
    port = try #require(lines.wait(milliseconds: 20_000) { $0.first?["port"]?.integer }.map(Int.init))
  }

  private static func read(_ output: FileHandle, _ lines: Locked<[JSONValue]>) {
    Thread.detachNewThread {
      var rest: [UInt8] = []
      while case let data = output.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: 0x0a) {
          if let line = try? JSONValue(parsing: Array(rest[..<end])) { lines.change { $0.append(line) } }
          rest.removeSubrange(...end)
        }
      }
    }
  }

  /// Has it do something, and waits until it knows.
  func tell(_ order: String) throws {
    let before = count(of: "did")
    try input.write(contentsOf: Data((order + "\n").utf8))
    try #require(lines.wait(milliseconds: 20_000) { lines in lines.count { $0["did"] != nil } > before ? true : nil } == true)
  }

  /// The pushes that it saw, refused ones too.
  var pushes: [JSONValue] { lines.withLock { $0.filter { $0["device"] != nil } } }

  /// The same, once there are so many: what it prints comes a little after its answer.
  func pushes(_ count: Int) -> [JSONValue] {
    _ = lines.wait(milliseconds: 20_000) { $0.count { $0["device"] != nil } >= count ? true : nil }
    return pushes
  }

  private func count(of name: String) -> Int { lines.withLock { $0.count { $0[name] != nil } } }

  func stop() {
    try? input.close()  // it ends with its input, also when these tests are killed
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
