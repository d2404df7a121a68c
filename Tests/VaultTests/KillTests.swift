import Foundation
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A child process that is killed, and what it promised before.
struct Victim {
  private let process = Process()
  private let pipe = Pipe()
  private let input = Pipe()

  init(_ arguments: String...) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("FaultWriter")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Waits for so many promises, then the given time more, and kills.
  /// - Returns: the highest promise, 0 for none.
  func kill(afterPromises count: Int, microseconds: UInt32) throws -> Int {
    var text = Data()
    while text.count(where: { $0 == 0x0a }) < count {
      let more = pipe.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the child ended on its own")
      text += more
    }
    usleep(microseconds)  // a random moment, not a wait for something
    Platform.kill(process.processIdentifier, SIGKILL)
    text += pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .compactMap { Int($0) }.max() ?? 0
  }
}

@Suite(.serialized) struct KillTests {
  /// Seed 11: what was acknowledged is there, and nothing is there by half.
  @Test("No confirmed record is lost when the writer is killed") func killedWritersLoseNothingTheyPromised() throws {
    let home = TemporaryHome()
    try home.create("kill").close()
    var random = Repeatable(seed: 11)
    var kept = 0
    for round in 0..<20 {
      let promised = try Victim("vault", home.path).kill(
        afterPromises: Int.random(in: 0...30, using: &random), microseconds: UInt32.random(in: 0...3000, using: &random))
      let vault = try home.open("kill")
      let found = try vault.records(.setting)
      let least = max(kept, promised)
      #expect(found.count >= least && found.count <= least + 1, "round \(round): \(found.count) of \(least)")
      #expect(Set(found.map { String(decoding: $0.id, as: UTF8.self) }) == Set((0..<found.count).map { "\($0 + 1)" }))
      #expect(try vault.ids(.pairingKey) == found.map(\.id))
      kept = found.count
      vault.close()
    }
    #expect(kept > 20)
  }

  /// Seed 12: a vault is there whole, or not at all and can be made.
  @Test("A killed creation leaves a complete vault or none") func aKilledCreationLeavesNothingOrAVault() throws {
    var random = Repeatable(seed: 12)
    var made = 0
    for round in 0..<12 {
      let home = TemporaryHome()
      let promised = try Victim("create", home.path).kill(
        afterPromises: round % 4 == 3 ? 1 : 0, microseconds: UInt32.random(in: 0...60_000, using: &random))
      let isThere = Vault.exists(home: home.path)
      #expect(isThere || promised == 0, "round \(round)")
      if isThere { made += 1 }
      try (isThere ? home.open("kill") : home.create("kill")).close()
      try home.open("kill").close()
    }
    #expect(made >= 3)
  }
}
