import Foundation
import Testing

@Suite("The fuzzer's stand-in for signatures")
struct StandInTests {
  /// This program holds the module as every ordinary build does. `Fuzz/check-stand-in.sh` looks for the same text in the release program,
  /// and finds it in the fuzzer's.
  @Test("No ordinary build takes the fuzzer's stand-in for signatures") func ordinaryBuildsHaveNone() throws {
    let program = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"), options: .alwaysMapped)
    let marker = ["holdfast", "fuzzing", "stand-in:"].joined(separator: " ")
    #expect(program.range(of: Data("CurveTests".utf8)) != nil, "this is the program with the tests")
    #expect(program.range(of: Data(marker.utf8)) == nil)
  }
}
