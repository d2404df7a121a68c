import Ciphers
import Encodings
package import JSON
import OwnerAPI
import Signer
package import Vault

/// What a running signer, or an opened vault, says about its records and its device, for a check of the files.
extension Operations {
  func examineVault() throws(OperationError) -> JSONValue {
    do { return try home.vault.examine().json(losses: home.damagedView?.losses ?? []) } catch { throw OperationError(error) }
  }

  /// The mark of the device.key that the vault is bound to.
  func deviceMark() throws -> JSONValue {
    ["mark": try home.vault.deviceMark.map { .string(Hex.encode($0.bytes)) } ?? .null]
  }
}

extension VaultExamination {
  /// The members of the response to `doctor/vault`.
  /// - Parameter losses: the losses of a damaged vault of which only the intact part is viewed.
  package func json(losses: [JSONValue] = []) -> JSONValue {
    let damaged = damaged.map { JSONValue.object([.init("kind", .string($0.kind)), .init("row", .string($0.row))]) }
    return .object([
      .init("records", .integer(Int64(records))),
      .init("damaged", .array(damaged + losses)),
      .init("changed", changedKind.map { .string($0) } ?? .null),
      .init(
        "costs",
        .array(
          costs.map {
            .object([.init("memory_mib", .integer(Int64($0.memory >> 20))), .init("passes", .integer(Int64($0.passes)))])
          })),
    ])
  }
}
