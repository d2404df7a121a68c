import Foundation

/// Runs a program found on the PATH over a text file.
/// - Returns: its exit code and all it printed; nil when there is no such program.
public func runInstalled(
  _ program: String, _ arguments: [String], over text: String, name: String = "script"
) throws -> (
  Int32, String
)? {
  guard isInstalled(program) else { return nil }
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appendingPathComponent(name)
  try Data(text.utf8).write(to: file)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments + [file.path]
  process.standardInput = FileHandle.nullDevice
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

private func isInstalled(_ program: String) -> Bool {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
  return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
