import Encodings
import JSON

/// Members of another's messages. `.malformed` names the one that is missing or wrong.
extension JSONValue {
  /// The JSON object of a message of this version.
  static func message(_ text: [UInt8], version: Int64) throws(CosignError) -> JSONValue {
    guard text.count <= CosignMessage.longest, let json = try? JSONValue(parsing: text), json.members != nil else {
      throw .malformed(wrong: "message")
    }
    guard json["v"]?.integer == version else { throw .malformed(wrong: "v") }
    return json
  }

  /// 32 bytes in hex.
  func bytes32(_ name: String) throws(CosignError) -> Bytes32 {
    guard let bytes = self[name]?.string.flatMap({ Bytes32(hex: $0) }) else { throw .malformed(wrong: name) }
    return bytes
  }
}
