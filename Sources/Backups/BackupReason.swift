package import AuditLog
import Encodings

/// Why a backup was made, or how it was checked, as the log says it. What lies on the vault's own disk has words of its own, because it is
/// lost together with the vault.
package enum BackupReason {
  /// The owner asked for a file. Nobody knows where that file is now.
  package static let file: AuditRule = "by the owner"
  /// The owner asked for it, and it was stored at a backup place.
  package static let delivery: AuditRule = "by the owner, and read back"
  package static let deliveryOnVaultsDisk: AuditRule = "by the owner, and read back from the vault's disk"
  /// The backup schedule made it.
  package static let plan: AuditRule = "by the plan, and read back"
  package static let planOnVaultsDisk: AuditRule = "by the plan, and read back from the vault's disk"
  /// It was opened with the owner's credential.
  package static let opened: AuditRule = "opened by the owner"
  package static let openedOnVaultsDisk: AuditRule = "opened by the owner on the vault's disk"
  /// It was read to its end.
  package static let read: AuditRule = "read by the signer"
  package static let readOnVaultsDisk: AuditRule = "read by the signer on the vault's disk"

  /// The vault was restored from it.
  /// - Parameter made: when it was made, in seconds since 1970.
  package static func restored(made: Int64, number: UInt64) -> AuditRule {
    AuditRule(clipping: "made \(ISOTime.extended(made)) UTC, number \(number)")
  }

  /// When the backup was made that `restored` names, in seconds since 1970; nil for another reason.
  package static func timeOfRestored(_ reason: AuditRule) -> Int64? {
    let words = reason.description.split(separator: " ")
    guard words.count == 5, words[0] == "made", words[2] == "UTC,", words[3] == "number" else { return nil }
    return ISOTime.seconds(words[1].utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") } + [UInt8(ascii: "Z")])
  }

  /// Whether the signer stored it at a place and read it back there.
  package static func isReadBack(_ reason: AuditRule) -> Bool {
    [delivery, deliveryOnVaultsDisk, plan, planOnVaultsDisk].contains(reason)
  }

  /// Whether it was then on the vault's own disk.
  package static func isOnVaultsDisk(_ reason: AuditRule) -> Bool {
    [deliveryOnVaultsDisk, planOnVaultsDisk, openedOnVaultsDisk, readOnVaultsDisk].contains(reason)
  }

  package static func checked(isProven: Bool, isOnVaultsDisk: Bool) -> AuditRule {
    isProven ? (isOnVaultsDisk ? openedOnVaultsDisk : opened) : (isOnVaultsDisk ? readOnVaultsDisk : read)
  }
}
