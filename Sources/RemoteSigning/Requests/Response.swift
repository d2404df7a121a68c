import JSON

/// The plaintext of an answer. Success leaves `error` out; an error carries `"result":null`, which every known client reads.
enum Response {
  static func plaintext(requestID: [UInt8], _ answer: Answer) -> [UInt8] {
    switch answer {
    case .result(let text): result(requestID: requestID) { $0.string(text) }
    case .error(let text): error(requestID: requestID, text)
    }
  }

  /// - Parameter write: writes the result, one JSON string.
  static func result(requestID: [UInt8], reserving: Int = 256, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = start(requestID, reserving: reserving)
    writer.key("result")
    write(&writer)
    writer.endObject()
    return writer.bytes
  }

  /// "Wait, and show your user this address": no answer yet. NIP-46 writes it as a result with the address in place of an error.
  static func authURL(requestID: [UInt8], _ address: String) -> [UInt8] {
    var writer = start(requestID, reserving: 256)
    writer.key("result")
    writer.string("auth_url")
    writer.key("error")
    writer.string(address)
    writer.endObject()
    return writer.bytes
  }

  private static func error(requestID: [UInt8], _ text: String) -> [UInt8] {
    var writer = start(requestID, reserving: 256)
    writer.key("result")
    writer.null()
    writer.key("error")
    writer.string(text)
    writer.endObject()
    return writer.bytes
  }

  private static func start(_ requestID: [UInt8], reserving: Int) -> JSONWriter {
    var writer = JSONWriter(reserving: reserving)
    writer.beginObject()
    writer.key("id")
    requestID.withUnsafeBytes { writer.raw($0) }
    return writer
  }
}
