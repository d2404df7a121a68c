import BrowserHost
import Ciphers
import Encodings
import JSON
import Testing

@testable import ExtensionInstall

@Suite("The extension that is compiled in")
struct ExtensionFilesTests {
  private func manifest() throws -> JSONValue {
    try JSONValue(parsing: try #require(ExtensionFiles.all.first { $0.path == "manifest.json" }).bytes)
  }

  @Test("The ids that the helper knows are those of the manifest")
  func hasTheIDs() throws {
    let manifest = try manifest()
    let key = try #require(manifest["key"]?.string.flatMap { Base64.decode($0) })
    let letters = SHA256.digest(of: key).hex.prefix(32).map { digit in
      Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(digit.hexDigitValue ?? 0)))
    }
    #expect(String(letters) == HoldfastExtension.chromiumID)
    #expect(manifest["browser_specific_settings"]?["gecko"]?["id"]?.string == HoldfastExtension.firefoxID)
  }

  @Test("The manifest of each browser has nothing that it warns of, and all the rest")
  func isMadeForOneBrowser() throws {
    func keys(_ browser: Browser) throws -> (all: Set<String>, background: [String]) {
      let file = try #require(ExtensionFiles.all(for: browser).first { $0.path == "manifest.json" })
      let manifest = try JSONValue(parsing: file.bytes)
      return (Set((manifest.members ?? []).map(\.key)), (manifest["background"]?.members ?? []).map(\.key))
    }
    let all = Set((try manifest().members ?? []).map(\.key))
    let (chromium, firefox) = (try keys(.chromium), try keys(.firefox))
    #expect(chromium.all == all.subtracting(["browser_specific_settings"]) && chromium.background == ["service_worker", "type"])
    #expect(firefox.all == all.subtracting(["key", "minimum_chrome_version"]) && firefox.background == ["scripts", "type"])
  }

  @Test("Every file that the manifest names is there")
  func hasItsFiles() throws {
    let paths = Set(ExtensionFiles.all.map(\.path))
    let scripts = try #require(try manifest()["content_scripts"]?.array).flatMap { $0["js"]?.array ?? [] }.compactMap(\.string)
    #expect(scripts == ["page.js", "bridge.js"])
    #expect(paths.isSuperset(of: scripts + ["background.js", "toolbar.html", "toolbar.js", "icons/icon-128.png"]))
  }
}

@Suite("ZIP archives")
struct ZipArchiveTests {
  @Test("Equal files make equal archives")
  func isReproducible() {
    func archive() -> [UInt8] {
      var archive = ZipArchive()
      archive.add("a.txt", Array("abc".utf8))
      return archive.bytes
    }
    #expect(archive() == archive())
    #expect(archive().starts(with: Array("PK\u{3}\u{4}".utf8)))
    // The check of “abc”, as every ZIP program writes it.
    #expect(Array(archive()[14..<18]) == [0xC2, 0x41, 0x24, 0x35])
  }
}
