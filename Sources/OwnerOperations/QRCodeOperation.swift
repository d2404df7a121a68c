import OwnerAPI
import OwnerWords
import QRCodes
import SecretMemory

extension Operations {
  static let codeHandlers: [OperationHandler] = [.init(PairQR.self) { _, request, _ in try drawCode(request) }]

  /// A text as a QR code, for a page that has no encoder of its own.
  ///
  /// A share of a recovery kit must never be in a `String`. If the text is a secret, the modules are one, too, because they
  /// contain it.
  private static func drawCode(_ request: PairQR.Request) throws -> PairQR.Response {
    let code = try code(of: request)
    let modules: SecretBytes
    do {
      modules = try SecretBytes(count: code.size * code.size) { target in
        for index in target.indices {
          target[index] = code.isDark(row: index / code.size, column: index % code.size) ? 0x31 : 0x30
        }
      }
    } catch { throw OperationError.notInMemory }
    var response = PairQR.Response()
    response.size = Int64(code.size)
    if request.secretText == nil {
      response.modules = modules.withBytes { String(decoding: $0, as: UTF8.self) }
    } else {
      response.secretModules = SecretBox(modules)
    }
    return response
  }

  private static func code(of request: PairQR.Request) throws -> QRCode {
    do throws(QRCodeError) {
      if let secret = request.secretText {
        return try secret.withBytes { bytes throws(QRCodeError) in try QRCode(bytes: bytes) }
      }
      if let text = request.text { return try QRCode(text) }
    } catch {
      throw OperationError.failed("The text does not fit into a QR code.", hint: "Copy it instead.")
    }
    throw FieldError.missing("text")
  }
}
