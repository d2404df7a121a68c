import Foundation
import NotificationServiceCore
import TestSupport
import Testing

/// What Apple gives an extension: 24 MB and thirty seconds. Counted in a program of its own that does everything a wake does.
@Suite("A wake fits into an extension") struct FootprintTests {
  private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  /// In KiB.
  private static let memory = 24 << 10
  /// In milliseconds.
  private static let time = 30_000

  private static func output(_ program: String, _ arguments: [String]) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    (process.arguments, process.standardOutput) = (arguments, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text
  }

  @Test("A usual wake and one with much to carry stay below 24 MiB and 30 seconds", arguments: ["usual", "much"])
  func footprint(load: String) throws {
    let home = TemporaryHome()
    let program = Self.folder.appendingPathComponent("ExtensionDummy").path
    _ = try Self.output(program, ["prepare", home.path, load])
    let words = try Self.output(program, ["wake", home.path]).split(separator: " ")
    try #require(words.count == 3)
    #expect(words[0] == "signed")
    let (peak, time) = (try #require(Int(words[1])), try #require(Int(words[2].dropLast())))
    print("a wake, \(load): \(peak) KiB at most, \(time) ms")
    #expect(peak > 0 && peak < Self.memory && time < Self.time)
  }

  @Test("The program of a wake is linked to curve, hashes, locked memory and the C library only") func libraries() throws {
    let ours: Set = ["libsecp256k1", "libsodium", "libcrypto", "libutf8proc"]
    let systems: Set = [
      "libc", "libm", "libgcc_s", "libstdc++", "libpthread", "libdl", "linux-vdso", "ld-linux-x86-64", "ld-linux-aarch64",
    ]
    let lines = try Self.output("/usr/bin/ldd", [Self.folder.appendingPathComponent("ExtensionDummy").path]).split(
      separator: "\n")
    let names = lines.compactMap { $0.split(separator: " ").first?.trimmingCharacters(in: .whitespaces) }
    let stems = Set(names.map { URL(fileURLWithPath: $0).lastPathComponent.prefix { $0 != "." } }.map(String.init))
    #expect(stems.isSuperset(of: ["libsecp256k1", "libsodium", "libcrypto"]))
    // Swift's own, which are part of Apple's systems.
    let others = stems.subtracting(ours).subtracting(systems).subtracting(["libdispatch", "libBlocksRuntime"])
      .filter { !$0.hasPrefix("libswift") }
    #expect(others.isEmpty, "also \(others.sorted())")
    #expect(!stems.contains("libFoundation") && !stems.contains("lib_FoundationICU"))
  }
}
