import CredentialOptions
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

/// Which way to open the vault a command line names.
@Suite struct CredentialSourceTests {
  private func source(_ words: [String], credentials: String? = nil) throws -> CredentialSource {
    let invocation = try ArgumentParser.holdfast.parse(words)
    return try CredentialSource(invocation, credentials: credentials) { _ in credentials != nil }
  }

  @Test("Each option names one way to open the vault") func eachOptionIsOneWay() throws {
    #expect(try source(["unlock"]) == .passphrase(.terminal))
    #expect(try source(["unlock", "--passphrase-file", "p"]) == .passphrase(.file("p")))
    #expect(try source(["unlock", "--token"]) == .token(uri: nil, module: nil, pinFile: nil))
    #expect(
      try source(["unlock", "--token=pkcs11:token=a", "--pin-file", "pin", "--module", "m.so"])
        == .token(uri: "pkcs11:token=a", module: "m.so", pinFile: "pin"))
    #expect(try source(["up", "--keyring", "--login-file", "l"]) == .keyring)
    #expect(try source(["status", "--shares-file", "s"]) == .shares(files: ["s"], codeFile: nil))
    #expect(try source(["unlock", "--shares-file", "s", "--shares-file", "t"]) == .shares(files: ["s", "t"], codeFile: nil))
  }

  @Test("An option wins over the passphrase that the service manager provides")
  func anOptionBeatsTheCredentialOfTheService() throws {
    #expect(try source(["up"], credentials: "/run/c") == .passphrase(.file("/run/c/holdfast-passphrase")))
    #expect(try source(["up", "--keyring"], credentials: "/run/c") == .keyring)
  }

  @Test(
    "Contradictory or incomplete options for opening are refused",
    arguments: [
      (["unlock", "--token", "--keyring"], UsageError.exclude(option: "token", other: "keyring")),
      (["unlock", "--passphrase-file", "p", "--token"], .exclude(option: "passphrase-file", other: "token")),
      (["unlock", "--keyring", "--shares-file", "s"], .exclude(option: "keyring", other: "shares-file")),
      (["unlock", "--pin-file", "p"], .needs(option: "pin-file", other: "token")),
      (["unlock", "--module", "m"], .needs(option: "module", other: "token")),
      (["unlock", "--login-file", "l"], .needs(option: "login-file", other: "keyring")),
      (["unlock", "--token="], .valueEmpty(option: "token")),
      (["unlock", "--token", "--token=a"], .givenTwice(option: "token")),
      (["init", "--token"], .optionNotHere(name: "--token", command: ["init"])),
    ])
  func twoWaysOrHalfAWayAreRefused(words: [String], fault: UsageError) {
    #expect(throws: fault) { _ = try source(words) }
  }

  /// `--token URI` would take a word that belongs to the command.
  @Test("The URI of a token stands in the same word as its option") func aTokensURIStandsInTheSameWord() throws {
    let invocation = try ArgumentParser.holdfast.parse(["identity", "show", "--token", "alice"])
    #expect(invocation.argument("name") == "alice" && invocation.has("token") && invocation.value("token") == nil)
  }
}
