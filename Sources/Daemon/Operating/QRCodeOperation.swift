internal import JSON
internal import QRCodes
internal import SecretMemory

extension Operations {
  /// A text as a QR code, for a page that has no encoder of its own: `modules` is a digit for each, row after row, 1 for dark.
  ///
  /// The text is a parameter, or a secret of that name: a share of a recovery kit is to be in no text of ours.
  func drawLink(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let secret = given.secret("text")
    let text = secret == nil ? try given.text("text") : ""
    let code: QRCode
    do throws(QRCodeError) {
      if let secret {
        code = try secret.withBytes { bytes throws(QRCodeError) in try QRCode(bytes: bytes) }
      } else {
        code = try QRCode(text)
      }
    } catch {
      throw .failed("That text does not fit into a QR code.", hint: "Copy it instead.")
    }
    var modules: [UInt8] = []
    modules.reserveCapacity(code.size * code.size)
    for row in 0..<code.size {
      for column in 0..<code.size { modules.append(code.isDark(row: row, column: column) ? 0x31 : 0x30) }
    }
    return .object([
      .init("size", .integer(Int64(code.size))), .init("modules", .string(String(decoding: modules, as: UTF8.self))),
    ])
  }
}
