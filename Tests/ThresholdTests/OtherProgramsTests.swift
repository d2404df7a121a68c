import Ciphers
import Encodings
import Foundation
import TestSupport
import Testing

@testable import Threshold

/// Programs that know nothing of groups take the signatures of groups.
@Suite("Signatures of a group in other programs") struct OtherProgramsTests {
  private static let message = "Two of three members signed this."

  private let dealing: EdDSADealer.Dealing

  init() throws { dealing = try EdDSADealer.generate(threshold: 2, members: 3) }

  private func sign(_ message: [UInt8]) throws -> [UInt8] {
    let round = try EdDSARound(dealing, [1, 3], message)
    return try round.session.finish(round.parts)
  }

  private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  @Test("ssh-keygen accepts a file that a group signed, and not another file", arguments: [true, false])
  func secureShell(isSigned: Bool) throws {
    func string(_ bytes: some Sequence<UInt8>) -> [UInt8] {
      let bytes = Array(bytes)
      return bigEndian(UInt32(bytes.count)) + bytes
    }
    let key = string("ssh-ed25519".utf8) + string(dealing.publicKey.array)
    let digest = SHA256.digest(of: [UInt8](Self.message.utf8)).array
    // PROTOCOL.sshsig: what is signed, and the blob that has the signature.
    let named = string("file".utf8) + string([]) + string("sha256".utf8)
    let signature = try sign(Array("SSHSIG".utf8) + named + string(digest))
    let blob =
      Array("SSHSIG".utf8) + bigEndian(UInt32(1)) + string(key) + named + string(string("ssh-ed25519".utf8) + string(signature))
    let (code, output) = try #require(
      try runInstalled(
        "sh", [],
        over: """
          cd "$(dirname "$0")"
          echo 'group ssh-ed25519 \(base64(key))' > allowed
          printf '%s\\n' '-----BEGIN SSH SIGNATURE-----' '\(base64(blob))' '-----END SSH SIGNATURE-----' > signature
          printf %s '\(Self.message)\(isSigned ? "" : " And this not.")' | ssh-keygen -Y verify -f allowed -I group -n file -s signature
          """))
    #expect((code == 0) == isSigned, "\(output)")
    #expect(output.contains("Good \"file\" signature for group") == isSigned, "\(output)")
  }

  @Test("minisign accepts a file that a group signed, and not another file", arguments: [true, false])
  func minisign(isSigned: Bool) throws {
    let number: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let comment = "signed by two of three"
    let signature = try sign([UInt8](Self.message.utf8))
    let whole = try sign(signature + Array(comment.utf8))
    let (code, output) = try #require(
      try runInstalled(
        "sh", [],
        over: """
          cd "$(dirname "$0")"
          printf %s '\(Self.message)\(isSigned ? "" : " And this not.")' > message
          printf '%s\\n' 'untrusted comment: a group' '\(base64(Array("Ed".utf8) + number + signature))' \
            'trusted comment: \(comment)' '\(base64(whole))' > message.minisig
          minisign -V -P '\(base64(Array("Ed".utf8) + number + dealing.publicKey.array))' -m message
          """))
    #expect((code == 0) == isSigned, "\(output)")
    #expect(output.contains("Signature and comment signature verified") == isSigned, "\(output)")
  }
}
