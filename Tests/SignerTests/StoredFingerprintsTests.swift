import Desktop
import Foundation
import TestSupport
import Testing
import Vault

@testable import Signer

@Suite struct StoredPrintsTests {
  private func folder() throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-prints-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path + "/alice/driver/0", withIntermediateDirectories: true)
    return path
  }

  private func write(_ text: String, _ place: String, _ folder: String, modified: Int = 1_000_000) throws {
    let path = folder + "/alice/driver/0/" + place
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: Double(modified))], ofItemAtPath: path)
  }

  private func digest(_ folder: String) -> [UInt8]? { StoredFingerprints.digest(folder: folder, account: "alice") }

  @Test("A different fingerprint under the same name changes the digest")
  func anotherPrintUnderTheSameNameIsAnotherDigest() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(digest(folder) == nil, "no print is nothing known")
    try write("one", "7", folder)
    let first = try #require(digest(folder))
    #expect(first.count == 32 && digest(folder) == first)
    try write("two", "7", folder)
    #expect(digest(folder) != first)
    try write("one", "7", folder)
    #expect(digest(folder) == first)
    try write("one", "7", folder, modified: 1_000_001)
    #expect(digest(folder) != first, "written anew")
    try write("one", "7", folder)
    try write("one", "8", folder)
    #expect(digest(folder) != first)
  }

  @Test("A folder with links, large files, subfolders or too many files gives no fingerprint digest")
  func whatIsNoFileOfTheServiceIsNotKnown() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("one", "7", folder)
    #expect(digest(folder) != nil)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/alice/driver/0/8", withDestinationPath: folder + "/alice/driver/0/7")
    #expect(digest(folder) == nil)
    try FileManager.default.removeItem(atPath: folder + "/alice/driver/0/8")
    try write(String(repeating: "x", count: StoredFingerprints.largestFile + 1), "9", folder)
    #expect(digest(folder) == nil)
    try FileManager.default.removeItem(atPath: folder + "/alice/driver/0/9")
    try FileManager.default.createDirectory(atPath: folder + "/alice/driver/0/deeper", withIntermediateDirectories: true)
    #expect(digest(folder) == nil)
    try FileManager.default.removeItem(atPath: folder + "/alice/driver/0/deeper")
    for number in 0..<StoredFingerprints.mostFiles { try write("x", "n\(number)", folder) }
    #expect(digest(folder) == nil)
    for account in ["..", ".", "../alice", "nobody"] {
      #expect(StoredFingerprints.digest(folder: folder, account: account) == nil)
    }
  }

  @Test(
    "Unknown finger names and overlong reader names are refused", arguments: ["sixth-finger", "right-thumb ", "RIGHT-THUMB", ""])
  func aFingerThatIsNoneMakesNoSet(name: String) {
    #expect(MachineFingerprints.set([FingerprintReader(name: "reader", fingers: ["right-thumb", name])], prints: nil) == nil)
    #expect(MachineFingerprints.set([FingerprintReader(name: "reader", fingers: ["right-thumb"])], prints: nil) != nil)
    let long = String(repeating: "x", count: FingerprintEnrolment.Reader.maximumName + 1)
    #expect(MachineFingerprints.set([FingerprintReader(name: long, fingers: [])], prints: nil) == nil)
  }
}
