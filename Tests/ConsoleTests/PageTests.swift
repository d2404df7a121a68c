import Foundation
import Sockets
import Testing

@testable import Console

@Suite(.serialized) struct PageTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Web/console")

  private static var inFolder: [String] {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.path + "/" + name, isDirectory: &isFolder)
      let parts = name.split(separator: "/")
      return !isFolder.boolValue && !parts.contains { $0.hasPrefix(".") } && parts.last != "README.md"
    }.sorted()
  }

  /// When this fails: Sources/CConsoleFiles/generate.py
  @Test("Every file of the console is compiled into the program") func everyFileOfTheFolderIsCompiledIn() throws {
    #expect(ConsoleFiles.paths == Self.inFolder)
    for path in ConsoleFiles.paths {
      let file = try #require(ConsoleFiles.file(at: "/" + path))
      #expect(file.bytes == [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(path))), "\(path)")
      #expect(file.contentType != "application/octet-stream", "\(path)")
    }
  }

  @Test("The first page is sent with its security headers") func theFirstPageComesWithItsHeaders() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let got = try Browser(bench).get("/")
    #expect(got.status == 200 && got.header("content-type") == "text/html; charset=utf-8")
    let policy = try #require(got.header("content-security-policy"))
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
    #expect(got.header("x-content-type-options") == "nosniff" && got.header("referrer-policy") == "no-referrer")
    #expect(got.header("x-frame-options") == "DENY", "for browsers that do not know the policy's own word")
    #expect(got.header("cross-origin-opener-policy") == "same-origin")
    #expect(got.header("cross-origin-resource-policy") == "same-origin")
    #expect(got.header("strict-transport-security") == nil && got.header("access-control-allow-origin") == nil)
    let tag = try #require(got.header("etag"))
    let again = try Browser(bench).get("/", changes: ["If-None-Match": tag])
    #expect(again.status == 304 && again.body.isEmpty)
  }

  @Test("Over TLS the browser is told to use HTTPS only from then on") func overTLSTheBrowserIsToldToStayThere() {
    let name = "strict-transport-security"
    #expect(SecurityHeaders.all(isSecure: true).contains { $0.name == name && $0.value == "max-age=31536000" })
    #expect(!SecurityHeaders.all(isSecure: false).contains { $0.name == name })
  }

  @Test(
    "An unknown path gives no file",
    arguments: [
      "/index.htm", "/nothing", "/../Package.swift", "/%2e%2e/Package.swift", "/..%2fPackage.swift", "/.git/config",
      "/index.html/", "/INDEX.HTML", "/etc/passwd", "/api", "/api/v2/status",
    ])
  func anyOtherPathIsNothing(path: String) throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    #expect([400, 403, 404].contains(try Browser(bench).get(path).status))
  }

  @Test("The console is not served under another host name") func pagesAreNotShownUnderAnotherName() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    #expect(try Browser(bench).get("/", changes: ["Host": "evil.example"]).status == 421)
  }
}
