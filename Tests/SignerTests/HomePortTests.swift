import DaemonSupport
import Foundation
import OwnerOperations
import Testing

@testable import Signer

@Suite struct HomePortTests {
  private static func folder() throws -> TestHome {
    let home = TestHome()
    try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
    return home
  }

  @Test("The port that was kept is the home's, until another is kept") func kept() throws {
    let home = try Self.folder()
    let port = HomePort(of: Home(home.path, kinds: .holdfast))
    #expect(port.port == nil)
    for number: UInt16 in [24_630, 1, 65_535] {
      port.keep(number)
      #expect(port.port == number)
    }
    port.keep(0)
    #expect(port.port == 65_535, "0 is no port: the system chose")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/port.new"))
  }

  @Test(
    "What somebody else put into the file is no port",
    arguments: [
      "", "\n", "0\n", "24630", "65536\n", "+5\n", "-1\n", "24 630\n", "0x50\n", "246300\n", String(repeating: "1", count: 5000),
    ])
  func foreign(text: String) throws {
    let home = try Self.folder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: home.path + "/port"))
    #expect(HomePort(of: Home(home.path, kinds: .holdfast)).port == nil)
  }

  @Test("A link or a pipe in the file's place is not followed and does not block") func links() throws {
    let home = try Self.folder()
    try Data("24630\n".utf8).write(to: URL(fileURLWithPath: home.path + "/elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: home.path + "/port", withDestinationPath: home.path + "/elsewhere")
    let port = HomePort(of: Home(home.path, kinds: .holdfast))
    #expect(port.port == nil)
    unlink(home.path + "/port")
    #expect(mkfifo(home.path + "/port", 0o600) == 0)
    #expect(port.port == nil)
  }
}
