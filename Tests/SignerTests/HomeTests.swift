import DaemonSupport
import Foundation
import Platform
import Testing

@testable import OwnerOperations
@testable import Signer

@Suite struct HomeTests {
  @Test(
    "The environment says where the home folder is",
    arguments: [
      (["HOLDFAST_HOME": "/a/b", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/a/b"),
      (["HOLDFAST_HOME": "", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/holdfast"),
      (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/holdfast"), (["XDG_DATA_HOME": "", "HOME": "/h"], "/h/.local/share/holdfast"),
      (["HOME": "/h"], "/h/.local/share/holdfast"), ([:], "./.local/share/holdfast"),
    ])
  func theEnvironmentNamesTheFolder(variables: [String: String], path: String) {
    #expect(Home.standard(kinds: .holdfast) { variables[$0] }.path == path)
  }

  @Test("A data folder that is not an absolute path is ignored") func aRelativeDataFolderIsIgnored() {
    let variables = ["XDG_DATA_HOME": "not/absolute", "HOME": "/h"]
    #expect(Home.standard(kinds: .holdfast) { variables[$0] }.path == "/h/.local/share/holdfast")
  }

  @Test(
    "A slash at the end of the home folder's name is dropped",
    arguments: [("/a/", "/a"), ("/a", "/a"), ("/", "/"), ("a/b/", "a/b")])
  func aSlashAtTheEndIsDropped(given: String, path: String) {
    #expect(Home(given, kinds: .holdfast).path == path)
    #expect(
      Home(given, kinds: .holdfast).log == path + "/log" && Home(given, kinds: .holdfast).controlSocket == path + "/control.sock")
  }

  @Test("Each temporary home is a new folder that only its user can open") func aTemporaryHomeIsFreshAndPrivate() throws {
    let (first, second) = (try unwrap(TemporaryHome.make(kinds: .holdfast)), try unwrap(TemporaryHome.make(kinds: .holdfast)))
    defer { for home in [first, second] { TemporaryHome.wipe(home) } }
    #expect(first != second)
    let mode = try FileManager.default.attributesOfItem(atPath: first.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("Wiping a home deletes everything in it and leaves the targets of its links untouched")
  func wipingLeavesNothingAndFollowsNoLink() throws {
    let files = FileManager.default
    let (home, outside) = (try unwrap(TemporaryHome.make(kinds: .holdfast)), TestHome())
    try files.createDirectory(atPath: outside.path + "/folder", withIntermediateDirectories: true)
    let kept = [outside.path + "/file", outside.path + "/folder/file"]
    for path in kept { try Data("keep me".utf8).write(to: URL(fileURLWithPath: path)) }
    try files.createDirectory(atPath: home.path + "/one/two/three", withIntermediateDirectories: true)
    for path in ["/file", "/.hidden", "/one/file", "/one/two/three/file", "/empty"] {
      let size = path == "/empty" ? 0 : 200_000
      try Data(repeating: 7, count: size).write(to: URL(fileURLWithPath: home.path + path))
    }
    try files.createSymbolicLink(atPath: home.path + "/to-file", withDestinationPath: kept[0])
    try files.createSymbolicLink(atPath: home.path + "/one/to-folder", withDestinationPath: outside.path + "/folder")
    try files.createSymbolicLink(atPath: home.path + "/dangling", withDestinationPath: "/nowhere/at/all")
    try files.linkItem(atPath: kept[0], toPath: home.path + "/second-name")
    TemporaryHome.wipe(home)
    #expect(!files.fileExists(atPath: home.path))
    for path in kept { #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me") }
  }

  @Test("Wiping overwrites a file that another process has open") func wipingOverwritesAFileThatSomebodyElseStillHolds() throws {
    let home = try unwrap(TemporaryHome.make(kinds: .holdfast))
    let path = home.path + "/vault.db"
    try Data(repeating: 7, count: 150_000).write(to: URL(fileURLWithPath: path))
    let held = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    TemporaryHome.wipe(home)
    let left = try unwrap(try held.readToEnd())
    #expect(left.count == 150_000 && left.allSatisfy { $0 == 0 })
  }

  @Test("The clocks for seconds and milliseconds agree with the system's time") func theClocksAgree() {
    let (before, milliseconds, after) = (Clock.seconds, Clock.milliseconds, Clock.seconds)
    #expect(before <= milliseconds / 1000 && milliseconds / 1000 <= after)
    #expect(abs(Double(after) - Date().timeIntervalSince1970) < 60)
    let boot = Clock.boot
    #expect(boot > 0 && Clock.boot >= boot)
  }
}
