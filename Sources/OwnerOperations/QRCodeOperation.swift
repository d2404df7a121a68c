internal import JSON
internal import OwnerAPI
internal import QRCodes
internal import SecretMemory

extension Operations {
  /// A text as a QR code, for a page that has no encoder of its own: `modules` is a digit for each, row after row, 1 for dark.
  ///
  /// The text is a parameter, or a secret of that name: a share of a recovery kit is to be in no text of ours. Then the modules are a
  /// secret, too: they say the same.
  func drawCode(_ given: Parameters) throws -> ControlResult {
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
      throw OperationError.failed("That text does not fit into a QR code.", hint: "Copy it instead.")
    }
    let modules: SecretBytes
    do {
      modules = try SecretBytes(count: code.size * code.size) { target in
        for index in target.indices {
          target[index] = code.isDark(row: index / code.size, column: index % code.size) ? 0x31 : 0x30
        }
      }
    } catch { throw OperationError.notInMemory }
    let size = JSONValue.integer(Int64(code.size))
    if secret != nil { return ControlResult(["size": size, "modules": nil], secrets: ["modules": .text(SecretBox(modules))]) }
    return ["size": size, "modules": .string(modules.withBytes { String(decoding: $0, as: UTF8.self) })]
  }
}
