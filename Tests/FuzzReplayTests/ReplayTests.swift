import Foundation
import FuzzEntries
import Testing

/// The inputs that the fuzzer once failed on, and those it starts from, through the same code without the fuzzer.
@Suite struct ReplayTests {
  @Test("Every input found by the fuzzer passes its target", arguments: FuzzTarget.all.map(\.name))
  func everyFoundInputPasses(target: String) throws { try replay("FailCases", target) }

  @Test("Every seed of the fuzzer passes its target", arguments: FuzzTarget.all.map(\.name))
  func everySeedPasses(target: String) throws {
    #expect(try replay("Seeds", target) > 0, "a target starts from something")
  }

  @Test("Every fuzz target accepts an empty input and every single byte", arguments: FuzzTarget.all)
  func takesTheSmallestInputs(target: FuzzTarget) {
    #expect(throws: Never.self) { try target.run([]) }
    for byte in UInt8.min...UInt8.max { #expect(throws: Never.self) { try target.run([byte]) } }
  }

  /// Found with the stand-in for signatures, replayed with the real curve.
  @Test("Every stored input passes its target", arguments: FuzzTarget.all)
  func everyKeptInputPasses(target: FuzzTarget) throws {
    for line in try Inputs.kept(target.name) {
      let bytes = try #require(Data(base64Encoded: line), "a line of Corpus/\(target.name).txt is base64")
      #expect(throws: Never.self, "\(line)") { try target.run([UInt8](bytes)) }
    }
  }

  @Test("Every folder of stored inputs belongs to a fuzz target") func everyFolderHasItsTarget() throws {
    let names = Set(FuzzTarget.all.map(\.name))
    #expect(names.count == FuzzTarget.all.count)
    for folder in ["Seeds", "FailCases"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: Inputs.root + folder) where !name.hasPrefix(".") {
        #expect(names.contains(name), "\(folder)/\(name)")
      }
    }
  }

  @discardableResult
  private func replay(_ folder: String, _ name: String) throws -> Int {
    let target = try #require(FuzzTarget.named(name))
    let inputs = try Inputs.files(in: "\(folder)/\(name)")
    for (file, bytes) in inputs { #expect(throws: Never.self, "\(file)") { try target.run(bytes) } }
    return inputs.count
  }
}

private enum Inputs {
  static let root =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz/").path + "/"

  /// The lines of a target's kept inputs, none when there is no such file.
  static func kept(_ name: String) throws -> [String] {
    let file = "\(root)Corpus/\(name).txt"
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Names and contents, none when there is no such folder.
  static func files(in folder: String) throws -> [(String, [UInt8])] {
    let folder = root + folder
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { !$0.hasPrefix(".") }.map { name in
      (name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))))
    }
  }
}
