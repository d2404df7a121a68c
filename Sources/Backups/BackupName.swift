import Encodings
import ObjectStorage
package import Vault

/// Names of backups at a place. They contain the vault and the time, so that they sort by age.
package enum BackupName {
  static let suffix = ".hfb"

  /// `holdfast-<8 hex digits>-20260102T030405Z-<number>.hfb`
  package static func of(_ summary: BackupSummary, vaultID: [UInt8]) -> String {
    of(number: summary.number, madeAt: summary.madeAt / 1000, vaultID: vaultID)
  }

  /// - Parameter madeAt: seconds since 1970.
  static func of(number: UInt64, madeAt: Int64, vaultID: [UInt8]) -> String {
    prefix(vaultID) + ISOTime.basic(madeAt) + "-\(number)" + suffix
  }

  /// The list of revocations beside the backups of a vault: `holdfast-<8 hex digits>-revoked.hfr`
  static func revocations(_ vaultID: [UInt8]) -> String { prefix(vaultID) + "revoked.hfr" }

  private static func prefix(_ vaultID: [UInt8]) -> String { "holdfast-" + Hex.encode(Array(vaultID.prefix(4))) + "-" }

  /// The parts of a backup's name, ordered by age.
  package struct Parts: Comparable {
    package let name: String
    /// The first digits of the vault's id.
    package let vault: String
    /// Seconds since 1970.
    package let time: Int64
    package let number: UInt64

    package static func < (left: Parts, right: Parts) -> Bool { (left.time, left.number) < (right.time, right.number) }
  }

  /// - Returns: nil for a name that is not a backup of this vault. Other files at the place are not touched.
  package static func parts(_ name: String, vaultID: [UInt8]) -> Parts? {
    guard let parts = parts(name), name.hasPrefix(prefix(vaultID)) else { return nil }
    return parts
  }

  /// The same, for the backups of any vault.
  package static func parts(_ name: String) -> Parts? {
    guard name.hasPrefix("holdfast-"), name.hasSuffix(suffix), name.utf8.count > 18 + suffix.utf8.count else { return nil }
    let vault = Array(name.utf8.dropFirst(9).prefix(8))
    guard vault.allSatisfy(Hex.isDigit), Array(name.utf8)[17] == 0x2d else {
      return nil
    }
    let middle = Array(name.utf8.dropFirst(18).dropLast(suffix.utf8.count))
    guard middle.count > 17, middle[16] == UInt8(ascii: "-"), let time = ISOTime.seconds(Array(middle[..<16])),
      middle[17...].allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt64(String(decoding: middle[17...], as: UTF8.self))
    else { return nil }
    return Parts(name: name, vault: String(decoding: vault, as: UTF8.self), time: time, number: number)
  }
}
