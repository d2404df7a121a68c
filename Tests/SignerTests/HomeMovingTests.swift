import DaemonSupport
import Foundation
import Platform
import TestSupport
import Testing
import Vault

@testable import Signer

@Suite struct HomeMovingTests {
  /// A closed home, which is removed with its signer, and a free path beside it.
  private static func closed() throws -> (signer: Signer, home: Home, folder: String) {
    let signer = try Signer()
    let home = signer.core.folder
    signer.close()
    return (signer, home, home.path + "-kept")
  }

  private static func contents(_ path: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    return names.reduce(into: [:]) { files, name in
      if let data = FileManager.default.contents(atPath: path + "/" + name) { files[name] = data }
    }
  }

  @Test("A moved home has every file of the old one, private to its owner, and leaves nothing on the way")
  func everythingMoves() throws {
    let (signer, home, folder) = try Self.closed()
    defer { withExtendedLifetime(signer) {} }
    var before = try Self.contents(home.path)
    before["lock"] = nil
    try HomeMoving.move(home, to: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try Self.contents(folder) == before)
    #expect(!FileManager.default.fileExists(atPath: folder + ".incoming"))
    #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    #expect(Vault.exists(home: home.path), "the old home is its caller's to wipe")
  }

  @Test("A folder that is not free, or cannot hold a home, is refused before anything is written")
  func refusals() throws {
    let (signer, home, folder) = try Self.closed()
    defer { withExtendedLifetime(signer) {} }
    let files = FileManager.default
    func fault(_ folder: String) -> HomeMoving.Fault? {
      do throws(HomeMoving.Fault) {
        try HomeMoving.move(home, to: folder)
        return nil
      } catch { return error }
    }
    #expect(fault("relative") == .notAbsolute)
    #expect(fault("/" + String(repeating: "a", count: 200)) == .tooLong(limit: HomeMoving.longestPath))
    #expect(fault(home.path) == .insideHome)
    #expect(fault(home.path + "/log/inside") == .insideHome)
    let (another, other, _) = try Self.closed()
    defer { withExtendedLifetime(another) {} }
    #expect(fault(other.path) == .hasVault)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? files.removeItem(atPath: folder) }
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
    #expect(fault(folder) == .notEmpty)
    #expect(try files.contentsOfDirectory(atPath: folder) == ["notes.txt"])
    let link = folder + "-link"
    try files.createSymbolicLink(atPath: link, withDestinationPath: folder)
    defer { try? files.removeItem(atPath: link) }
    #expect(fault(link) == .notEmpty)
  }

  @Test("A move replaces what an interrupted one left behind, and touches no other files")
  func leftovers() throws {
    let (signer, home, folder) = try Self.closed()
    defer { withExtendedLifetime(signer) {} }
    let (way, files) = (folder + ".incoming", FileManager.default)
    defer { for path in [way, folder] { try? files.removeItem(atPath: path) } }
    try files.createDirectory(atPath: way, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: way + "/notes.txt"))
    #expect(throws: HomeMoving.Fault.wayTaken(way)) { try HomeMoving.move(home, to: folder) }
    #expect(files.fileExists(atPath: way + "/notes.txt"))
    // Somebody's vault under that name stays, too.
    try files.moveItem(atPath: way + "/notes.txt", toPath: way + "/vault.db")
    #expect(throws: HomeMoving.Fault.wayTaken(way)) { try HomeMoving.move(home, to: folder) }
    #expect(files.contents(atPath: way + "/vault.db") == Data("mine".utf8))
    #expect(files.createFile(atPath: way + "/" + StagingFolder.marker, contents: nil))
    try HomeMoving.move(home, to: folder)
    #expect(try Self.contents(folder)["vault.db"] == Self.contents(home.path)["vault.db"])
    #expect(!files.fileExists(atPath: folder + "/" + StagingFolder.marker))
  }

  @Test("Two moves to one folder do not come in each other's way: one is whole, or none") func twoMoves() throws {
    let (signer, home, folder) = try Self.closed()
    defer { withExtendedLifetime(signer) {} }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let running = try StagingFolder(folder + ".incoming")
    #expect(throws: HomeMoving.Fault.wayTaken(folder + ".incoming")) { try HomeMoving.move(home, to: folder) }
    #expect(FileManager.default.fileExists(atPath: running.path + "/" + StagingFolder.marker))
    running.remove()
    try HomeMoving.move(home, to: folder)
    #expect(Vault.exists(home: folder))
  }

  @Test("A home that is in use is not moved") func inUse() throws {
    let signer = try Signer()
    let folder = signer.core.folder.path + "-kept"
    #expect(throws: HomeMoving.Fault.inUse) { try HomeMoving.move(signer.core.folder, to: folder) }
    #expect(!FileManager.default.fileExists(atPath: folder) && !FileManager.default.fileExists(atPath: folder + ".incoming"))
    signer.close()
  }
}
