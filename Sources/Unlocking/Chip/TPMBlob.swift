import CTPM
public import Vault

// A sealed blob, for docs/FORMATS.md: type 1 (1) · name of the parent (34) · length (2) · TPM2B_PUBLIC · length (2) ·
// TPM2B_PRIVATE. Numbers are big-endian. The two parts have 1 to 256 and 1 to 512 bytes. Nothing follows.

/// A secret sealed by a TPM, as it is stored in the file.
public struct TPMBlob: Sendable, Equatable {
  /// Identifies the storage key that sealed it. The key belongs to one TPM and lasts until that TPM is cleared.
  let parent: [UInt8]
  let publicPart: [UInt8]
  let privatePart: [UInt8]
  private static let type: UInt8 = 1
  private static let nameLength = HOLDFAST_TPM_NAME
  private static let mostPublic = HOLDFAST_TPM_PUBLIC
  private static let mostPrivate = HOLDFAST_TPM_PRIVATE

  /// - Parameter bytes: any bytes.
  /// - Throws: `.damaged`, or `.newerVersion` for another type.
  public init(parsing bytes: [UInt8]) throws(DeviceSealError) {
    var rest = bytes[...]
    guard let type = rest.popFirst() else { throw .damaged }
    guard type == Self.type else { throw .newerVersion }
    parent = try Self.take(Self.nameLength, from: &rest)
    publicPart = try Self.part(upTo: Self.mostPublic, from: &rest)
    privatePart = try Self.part(upTo: Self.mostPrivate, from: &rest)
    guard rest.isEmpty else { throw .damaged }
  }

  /// The stored form.
  public var bytes: [UInt8] {
    [Self.type] + parent + Self.length(publicPart) + publicPart + Self.length(privatePart) + privatePart
  }

  private static func part(upTo limit: Int, from rest: inout ArraySlice<UInt8>) throws(DeviceSealError) -> [UInt8] {
    let length = try take(2, from: &rest)
    let count = Int(length[0]) << 8 | Int(length[1])
    guard (1...limit).contains(count) else { throw .damaged }
    return try take(count, from: &rest)
  }

  private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(DeviceSealError) -> [UInt8] {
    guard rest.count >= count else { throw .damaged }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  private static func length(_ part: [UInt8]) -> [UInt8] { [UInt8(part.count >> 8), UInt8(part.count & 0xff)] }
}

extension TPMBlob {
  init(_ sealed: holdfast_tpm_sealed) {
    (parent, publicPart, privatePart) = withUnsafeBytes(of: sealed) { bytes in
      let start = { (offset: Int?) in bytes.dropFirst(offset ?? 0) }
      return (
        Array(start(MemoryLayout<holdfast_tpm_sealed>.offset(of: \.parent)).prefix(Self.nameLength)),
        Array(start(MemoryLayout<holdfast_tpm_sealed>.offset(of: \.public_part)).prefix(Int(sealed.public_length))),
        Array(start(MemoryLayout<holdfast_tpm_sealed>.offset(of: \.private_part)).prefix(Int(sealed.private_length)))
      )
    }
  }

  var raw: holdfast_tpm_sealed {
    var sealed = holdfast_tpm_sealed()
    withUnsafeMutableBytes(of: &sealed.parent) { $0.copyBytes(from: parent) }
    withUnsafeMutableBytes(of: &sealed.public_part) { $0.copyBytes(from: publicPart) }
    withUnsafeMutableBytes(of: &sealed.private_part) { $0.copyBytes(from: privatePart) }
    sealed.public_length = UInt16(publicPart.count)
    sealed.private_length = UInt16(privatePart.count)
    return sealed
  }
}
