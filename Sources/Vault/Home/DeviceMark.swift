import Encodings

/// Which device secret a vault is bound to, as its header says in clear. It is no secret, and opens nothing.
public struct DeviceMark: Sendable, Equatable {
  private static let idLength = 16

  /// 16 bytes.
  let vaultID: [UInt8]
  let tag: Bytes32

  init(vaultID: [UInt8], tag: Bytes32) { (self.vaultID, self.tag) = (vaultID, tag) }

  /// - Parameter bytes: as `bytes` gives them.
  /// - Returns: nil for another length than 48.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.idLength + 32, let tag = Bytes32(bytes.dropFirst(Self.idLength)) else { return nil }
    self.init(vaultID: Array(bytes.prefix(Self.idLength)), tag: tag)
  }

  /// The vault's id (16) and the tag (32).
  public var bytes: [UInt8] { vaultID + tag.array }
}

extension VaultHeader {
  /// Nil while the vault is bound to no device secret, as one that was just restored.
  var deviceMark: DeviceMark? { deviceTag == Bytes32() ? nil : DeviceMark(vaultID: vaultID, tag: deviceTag) }
}

extension Vault {
  /// Which device secret the vault is bound to; nil for none.
  /// - Throws: `.closed`.
  public var deviceMark: DeviceMark? {
    get throws(VaultError) { try withOpen { open in open.header.deviceMark } }
  }

  /// The same of a vault that nobody has open. Opens nothing in it and changes nothing.
  /// - Throws: `.noVault`, `.folderNotPrivate`, `.inUse`, `.newerVersion`, `.corrupt`, `.io`.
  public static func deviceMark(home: String) throws(VaultError) -> DeviceMark? {
    let folder = HomeFolder(path: home)
    try folder.check()
    guard exists(home: home) else { throw .noVault }
    let database = try VaultFile.openToLook(at: folder.vault, under: try HomeLock(folder))
    guard case .two(let header) = try HeaderTable.read(from: database).header else { return nil }
    return header.deviceMark
  }
}
