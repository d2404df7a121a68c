import Foundation
import TestSupport
import Testing

/// What a crash leaves behind: the dummy is started in a folder of its own, with core files allowed, and everything it left is searched.
@Suite struct CrashTests {
  static let canary = Canary(0xca11_ab1e)

  /// How the child's environment sets the Swift runtime's crash reporter.
  static let reporters: [String?] = [nil, "enable=no", "enable=yes,interactive=no,color=no,registers=all,threads=all"]

  @Test("A crash of the hardened process leaves no secret behind", arguments: ["trap", "abort", "copying"], reporters)
  func hardenedProcessLeavesNothing(crash: String, reporter: String?) throws {
    let remains = try Self.remains(of: ["hardened", "guarded", crash], reporter: reporter)
    #expect(remains.crashed)
    #expect(remains.cores.isEmpty)
    #expect(!remains.output.showsCanary)
    #expect(!String(decoding: remains.output, as: UTF8.self).contains("Program crashed"))
  }

  /// Even in a program that forgot the hardening, secret memory is not part of a core file.
  @Test("Secret memory is not part of a core file", .enabled(if: Self.coresAreWritten, "core files go elsewhere on this machine"))
  func secretBytesAreNotInACoreFile() throws {
    let remains = try Self.remains(of: ["guarded", "trap"], reporter: "enable=no")
    #expect(remains.cores.count == 1)
    #expect(!remains.cores.contains { $0.showsCanary })
  }

  @Test("Control: a printed secret is found in the output") func controlThePrintedCanaryIsSeen() throws {
    #expect(try Self.remains(of: ["guarded", "printing", "abort"], reporter: "enable=no").output.showsCanary)
  }

  @Test(
    "Control: an ordinary array is found in the core file",
    .enabled(if: Self.coresAreWritten, "core files go elsewhere on this machine"))
  func controlAnOrdinaryArrayIsInTheCoreFile() throws {
    let remains = try Self.remains(of: ["unguarded", "trap"], reporter: "enable=no")
    #expect(remains.cores.contains { $0.showsCanary })
  }

  /// Why the hardening is needed: without it the runtime's report prints the bytes behind a register.
  @Test(
    "Control: a crash report without hardening shows the secret",
    .enabled(if: Self.reporterIsInstalled, "the Swift runtime's crash reporter is not installed"))
  func controlTheCrashReportShowsTheCanary() throws {
    #expect(try Self.remains(of: ["guarded", "copying"], reporter: Self.reporters[2]).output.showsCanary)
  }

  private struct Remains {
    let crashed: Bool
    let output: Data
    let cores: [Data]
  }

  private static func remains(of wishes: [String], reporter: String?) throws -> Remains {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("crash-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("CrashDummy")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "ulimit -c unlimited 2>/dev/null; exec \"$0\" \"$@\"", program.path, String(0xca11_ab1e)] + wishes
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.environment?["SWIFT_BACKTRACE"] = reporter
    process.environment?["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return Remains(
      crashed: process.terminationReason == .uncaughtSignal, output: output, cores: try files.map { try Data(contentsOf: $0) })
  }

  /// Whether the kernel writes a core file into the working folder.
  private static let coresAreWritten: Bool = {
    let pattern = (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) ?? "|"
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(4), &limit)  // RLIMIT_CORE
    return !pattern.hasPrefix("|") && !pattern.hasPrefix("/") && limit.rlim_max > 0
  }()

  private static let reporterIsInstalled: Bool = {
    let report = try? remains(of: ["unguarded", "trap"], reporter: reporters[2]).output
    return report.map { String(decoding: $0, as: UTF8.self).contains("Program crashed") } ?? false
  }()
}

extension Data {
  /// Whether eight bytes of the canary in a row stand here: as they are, or as hex with anything between the digits.
  fileprivate var showsCanary: Bool {
    let canary = CrashTests.canary.array
    // A core file is searched for bytes only; only text is short enough to be read as hex.
    let digits = count > 1 << 20 ? Data() : Data(filter { $0.isHexDigit }.map { $0 | 0x20 })
    return (0...canary.count - 8).contains { start in
      let window = canary[start..<start + 8]
      let hex = window.map { String(format: "%02x", $0) }.joined()
      return range(of: Data(window)) != nil || digits.range(of: Data(hex.utf8)) != nil
    }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self | 0x20) }
}
