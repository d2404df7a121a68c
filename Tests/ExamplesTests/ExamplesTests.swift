import Foundation
import Testing

/// The examples run, and say what their pages say.
@Suite struct ExamplesTests {
  private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

  private static func run(
    _ program: URL, _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, lines: [String]) {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, given) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError, process.standardInput) = (output, output, given)
    try process.run()
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try given.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text.split(separator: "\n").map(String.init))
  }

  private static func example(_ name: String, _ arguments: [String] = []) throws -> [String] {
    let (status, lines) = try run(folder.appendingPathComponent(name), arguments)
    #expect(status == 0, "\(lines)")
    return lines
  }

  private static func temporaryFolder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-example-\(UUID().uuidString)")
  }

  @Test("The key store example prints what its page promises") func theKeyStore() throws {
    let home = Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: home) }
    for _ in 0..<2 {  // the second time on the vault of the first
      #expect(
        try Self.example("KeyStoreExample", [home.path]) == [
          #"stored: ["Mail"]"#, "read: 10 bytes", "while locked: interactionNotAllowed", "and yet known to be there: true",
          "deleted: itemNotFound",
        ])
    }
  }

  @Test("The secure storage example prints what its page promises") func secureStorage() throws {
    let home = Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: home) }
    #expect(
      try Self.example("SecureStorageExample", [home.path]) == [
        "the key came back: true", "another one took its place: true", #"accounts: ["main"]"#, "is there still one: false",
      ])
  }

  @Test("The session storage example prints what its page promises") func sessionStorage() throws {
    let home = Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: home) }
    let lines = try Self.example("SessionStorageExample", [home.path])
    #expect(lines.first == "saved" && lines.contains("restored: alice") && lines.contains("the viewing key alone: 13 bytes"))
    #expect(lines.contains { $0.hasPrefix("under another policy: savedUnder(") } && lines.last == "after the logout: noSession")
  }

  @Test("The session manager example prints what its page promises") func sessionManager() throws {
    let lines = try Self.example("SessionManagerExample")
    #expect(lines.count == 5 && lines.prefix(2) == ["told: started", "while open: 7 bytes"])
    #expect(lines[2].hasPrefix("told: locked(") && lines[3] == "after it: interactionNotAllowed" && lines[4] == "told: ended")
  }

  @Test("The notification service example answers what it may, and hands the rest to the app") func notificationService() throws {
    let home = Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: home) }
    #expect(
      try Self.example("NotificationServiceExample", [home.path]) == [
        "published: kind 24133", "signed: Coracle: Sign a note | As main. Answered: medium trust.",
        "waiting: Coracle: Change your profile | As main. Asked because: medium trust asks before this. Open Holdfast to answer.",
        "taken over: allow, sent", "taken over: ask, begun",
      ])
  }

  @Test("The link host example answers links, and opens nothing for a bad callback") func linkHost() throws {
    let place = "https://site.example"
    let cb = "cb=https%3A%2F%2Fsite.example%2Fsigned%3Fx%3D1"
    // {"kind":1,"content":"hi"}
    let sign = "sign?payload=eyJraW5kIjoxLCJjb250ZW50IjoiaGkifQ&\(cb)&nonce=7"
    let signed = try Self.example("LinkHostExample", ["keyfob://\(sign)", place])
    #expect(signed[0].hasPrefix("https://site.example/signed?x=1&ok=1&id=") && signed[0].hasSuffix("&nonce=7"))
    #expect(
      try Self.example("LinkHostExample", ["https://notes.example/app/pubkey?\(cb)", place])[0].hasPrefix(
        "https://site.example/signed?x=1&ok=1&pubkey="))
    #expect(
      try Self.example("LinkHostExample", ["holdfast://\(sign)"])[0].hasPrefix(
        "https://site.example/signed?x=1&ok=0&code=denied&msg="))
    #expect(
      try Self.example("LinkHostExample", ["keyfob://pubkey?cb=com.example.notes%3Adone"])[0].hasPrefix(
        "com.example.notes:done?ok=0&code=denied"))
    for bad in ["keyfob://pubkey?cb=javascript%3Aalert(1)", "keyfob://pubkey", "https://other.example/app/pubkey?\(cb)"] {
      #expect(try Self.example("LinkHostExample", [bad, place])[0].hasPrefix("Nothing is opened ("), "\(bad)")
    }
  }

  /// With SoftHSM, whose package is one of those that the tests need.
  @Test("The hardware key example signs with a token and deletes the key") func hardwareKeys() throws {
    let folder = Self.temporaryFolder()
    try FileManager.default.createDirectory(at: folder.appendingPathComponent("tokens"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let settings = folder.appendingPathComponent("softhsm2.conf")
    try Data("directories.tokendir = \(folder.path)/tokens\n".utf8).write(to: settings)
    let environment = ["SOFTHSM2_CONF": settings.path]
    let made = try Self.run(
      URL(fileURLWithPath: "/usr/bin/softhsm2-util"),
      ["--init-token", "--free", "--label", "example", "--so-pin", "12345678", "--pin", "1234"], environment: environment)
    try #require(made.status == 0, "\(made.lines)")
    let (status, lines) = try Self.run(
      Self.folder.appendingPathComponent("HardwareKeysExample"), ["/usr/lib/softhsm/libsofthsm2.so"], input: "1234\n",
      environment: environment)
    #expect(status == 0 && lines == ["the token's signature holds: true", "deleted: itemNotFound"])
  }
}
