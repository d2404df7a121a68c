import DaemonSupport
import Identities
import JSON
import Mnemonics
import Nostr
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Backups
@testable import OwnerOperations
@testable import Signer

/// Kits that are restored with shares that somebody forged among them.
@Suite struct ForgedShareTests {
  /// A share of the same kit's number and place, of another secret.
  private static func forged(like words: String, seed: UInt8 = 9, _ plan: SharePlan, member: Int) throws -> String {
    let numbers = try Array(words.utf8).withUnsafeBytes { try Share(words: $0) }.numbers
    var isFirst = true
    return try SharedSecret.split(try secret([UInt8](repeating: seed, count: 16)), into: plan) { buffer in
      if isFirst { buffer.storeBytes(of: numbers.identifier, as: UInt16.self) } else { SystemRandom.fill(buffer) }
      isFirst = false
    }[0][member].words().text()
  }

  private func kit(_ signer: Signer, _ parameters: JSONValue) throws -> [String] {
    let kit = try signer.operations.ask("recovery/create", parameters, secrets: try owner)
    return (kit["shares"]?.array ?? []).compactMap(\.string)
  }

  private func secrets(_ shares: [String]) throws -> [String: SecretBox] { ["shares": try box(shares.joined(separator: "\n"))] }

  @Test("A restore ignores forged shares and names them")
  func aRestoreLeavesForgedSharesOut() throws {
    let (signer, other) = (try Signer(), try Signer())
    let plan = try SharePlan(threshold: 2, count: 3)
    let shares = try kit(signer, ["threshold": 2, "shares": 3, "identity": "main"])
    let forged = try Self.forged(like: shares[0], plan, member: 0)
    let npub = try signer.identity.publicKey.npub
    for (number, given) in [[forged, shares[0], shares[1]], [shares[2], shares[2], forged, shares[1]]].enumerated() {
      let answer = try other.operations.ask(
        "recovery/restore", ["name": .string("again\(number)"), "npub": .string(npub)], secrets: try secrets(given))
      #expect(answer["npub"]?.string == npub)
      #expect(answer["left_out"]?.array?.compactMap(\.integer) == [Int64(given.firstIndex(of: forged) ?? -1) + 1])
      try other.operations.ask("identity/delete", ["name": .string("again\(number)")], secrets: try owner)
    }
    signer.close()
    other.close()
  }

  @Test("A restore is refused when the forged shares form a complete kit")
  func aRestoreRefusesTwoWholeKits() throws {
    let (signer, other) = (try Signer(), try Signer())
    let plan = try SharePlan(threshold: 1, count: 1)
    let shares = try kit(signer, ["threshold": 1, "shares": 1, "identity": "main"])
    let forged = try Self.forged(like: shares[0], plan, member: 0)
    #expect(
      exit(
        other.operations, "recovery/restore", ["name": "again", "npub": .string(try signer.identity.publicKey.npub)],
        secrets: try secrets([shares[0], forged])) == .failed)
    #expect(other.core.identities.all.count == 1)
    signer.close()
    other.close()
  }

  @Test("A kit test names a share that does not match and does not ignore it")
  func aTestNamesTheForgedShare() throws {
    let signer = try Signer()
    let shares = try kit(signer, ["threshold": 2, "shares": 3, "identity": "main"])
    let forged = try Self.forged(like: shares[0], try SharePlan(threshold: 2, count: 3), member: 0)
    #expect(exit(signer.operations, "recovery/test", secrets: try secrets([shares[1], shares[2], forged])) == .failed)
    signer.close()
  }

  @Test("A backup opens with the honest shares among forged ones")
  func aBackupOpensByTheHonestShares() throws {
    let signer = try Signer()
    let shares = try kit(signer, ["threshold": 2, "shares": 3])
    let place = try Place()
    let file = place.path + "/one.hfb"
    try signer.operations.ask("backup/create", ["file": .string(file)])
    let forged = try Self.forged(like: shares[0], try SharePlan(threshold: 2, count: 3), member: 0)
    let given = try box([forged, shares[0], shares[2]].joined(separator: "\n"))
    _ = try RestorableBackup(ReadableBackup(file: file), .shares(given, code: nil)).examine(knowing: .holdfast)
    #expect(throws: OperationError.self) {
      try RestorableBackup(ReadableBackup(file: file), .shares(box([forged, shares[2]].joined(separator: "\n")), code: nil))
    }
    signer.close()
  }
}
