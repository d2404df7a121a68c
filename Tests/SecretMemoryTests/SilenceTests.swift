import Foundation
import SecretMemory
import TestSupport
import Testing

/// A secret cannot be printed, and a type that could be refuses to show it.
@Suite struct SilenceTests {
  @Test("A printed secret shows nothing, not even its length") func sharedSecretShowsNothingOfItself() throws {
    let box = SecretBox(try secret("canary-canary"))
    var dumped = ""
    dump(box, to: &dumped)
    var optional = ""
    dump([Optional(box)], to: &optional)
    let texts = [
      "\(box)", String(describing: box), String(reflecting: box), box.description, box.debugDescription, dumped, optional,
      "\([box])", "\(Optional(box) as Any)", String(describing: Mirror(reflecting: box).children.map(\.value)),
    ]
    for text in texts {
      #expect(!text.contains("canary") && !text.contains("63616e617279") && !text.contains("99, 97, 110"))
      #expect(!text.contains("0x") && !text.contains("13"))  // no address, no length
    }
    #expect(Mirror(reflecting: box).children.isEmpty)
  }

  @Test("Errors contain no secret") func errorsCarryNothing() {
    struct Refusal: Error {}
    let fault = SecretBytesError<Refusal>.filling(Refusal())
    #expect(String(reflecting: fault).contains("filling"))
  }

  /// What the compiler must refuse, with the words it refuses by; the last line of the table is the control.
  @Test(
    "The compiler refuses to copy or print a secret",
    arguments: [
      ("let copy = held; _ = held.count; _ = copy.count", "consumed"),
      ("print(held)", "Copyable"),
      ("_ = \"\\(held)\"", "Copyable"),
      ("let list = [held]; _ = list", "Copyable"),
      ("let any: Any = held; _ = any", "Copyable"),
      ("dump(held)", "Copyable"),
      ("_ = held == held", "=="),
      ("_ = held.count", nil as String?),
    ])
  func compilerRefusesCopiesAndPrinting(statement: String, refusal: String?) throws {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("typecheck-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    let text = "import SecretMemory\nfunc use() throws {\n  let held = try SecretBytes(randomCount: 8)\n  \(statement)\n}\n"
    try text.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let includes = [
      products.appendingPathComponent("Modules"), root.appendingPathComponent("Sources/CSodium"),
      root.appendingPathComponent("Sources/CLinux"),
    ].flatMap { ["-I", $0.path] }
    // Whether a value is used after it was given away is found after type checking, so the file is compiled, to nothing.
    process.arguments = ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", file.path] + includes
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let refusal else { return #expect(process.terminationStatus == 0, "\(output)") }
    #expect(process.terminationStatus != 0)
    #expect(output.contains("error:") && output.contains(refusal), "\(output)")
  }
}
