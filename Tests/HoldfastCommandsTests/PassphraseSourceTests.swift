import CommandLine
import CredentialOptions
import Testing

@testable import HoldfastCommands

@Suite struct PassphraseSourceTests {
  @Test("The passphrase is taken from the first source in the documented order")
  func choosesTheSourceInTheDocumentedOrder() throws {
    let parser = ArgumentParser.holdfast
    func source(_ words: [String], _ credentials: String?, _ exists: Bool) throws -> PassphraseSource {
      try PassphraseSource(parser.parse(["status"] + words), credentials: credentials) { _ in exists }
    }
    #expect(try source([], nil, true) == .terminal)
    #expect(try source([], "/run/c", true) == .file("/run/c/holdfast-passphrase"))
    #expect(try source([], "/run/c", false) == .terminal)
    #expect(try source(["--passphrase-file", "p"], "/run/c", true) == .file("p"))
    #expect(try source(["--passphrase-fd", "3"], nil, true) == .descriptor(3))
    #expect(throws: UsageError.exclude(option: "passphrase-file", other: "passphrase-fd")) {
      try source(["--passphrase-file", "p", "--passphrase-fd", "3"], nil, true)
    }
  }
}
