import Foundation
import Testing

@Suite("The fuzzer's stand-in for signatures")
struct StandInTests {
  /// The test program links the module Curve as the release program does. `Fuzz/check-stand-in.sh` makes the same search in the release
  /// program, and checks that the search does find the text in the fuzzer.
  @Test("Ordinary builds do not contain the fuzzer's stand-in for signatures") func ordinaryBuildsHaveNone() throws {
    let program = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"), options: .alwaysMapped)
    let marker = ["holdfast", "fuzzing", "stand-in:"].joined(separator: " ")
    #expect(program.range(of: Data("CurveTests".utf8)) != nil, "this is the program with the tests")
    #expect(program.range(of: Data(marker.utf8)) == nil)
  }
}
