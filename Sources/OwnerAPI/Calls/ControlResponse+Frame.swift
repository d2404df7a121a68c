public import JSON
public import SecretMemory

// The body of an answer on the control socket: JSON on one line. When there are secrets, the member "secrets" is an array of
// [name, length in bytes], or [name, [length, …]] for a list, and the secrets' bytes follow the line break, one after the other.
// A request's body has the same form, for the same reason: JSON text cannot be wiped.
extension ControlResponse {
  /// The most secret members of any answer.
  public static let mostSecrets = 8
  /// The most texts of any secret list: a kit has at most 16 groups of 16 shares.
  public static let mostTexts = 256

  /// The secrets of a success.
  package var secrets: [String: ControlResult.Secret] { if case .success(let result) = self { result.secrets } else { [:] } }

  /// The body of an answer that contains secrets.
  public func framed() throws(SecretBytesError<Never>) -> SecretBox {
    let names = secrets.keys.sorted()
    let lengths = names.map { name -> JSONValue in
      switch secrets[name] {
      case .text(let text)?: [.string(name), .integer(Int64(text.count))]
      case .list(let texts)?: [.string(name), .array(texts.map { .integer(Int64($0.count)) })]
      case nil: .null
      }
    }
    let line = JSONValue.object((json.members ?? []) + [.init("secrets", .array(lengths))]).serialized() + [0x0A]
    let texts = names.flatMap { secrets[$0]?.texts ?? [] }
    var buffer = try SecretBuffer(capacity: texts.reduce(line.count) { $0 + $1.count })
    try buffer.append(line)
    for text in texts { try buffer.append(text) }
    return try buffer.box()
  }

  /// Reads a body, with or without secrets. Nil if it is not valid.
  /// - Parameter body: owned and wiped by the caller.
  public init?(framed body: UnsafeRawBufferPointer, limits: JSONLimits) {
    let end = body.firstIndex(of: 0x0A) ?? body.count
    guard let json = try? JSONValue(parsing: UnsafeRawBufferPointer(rebasing: body[..<end]), limits: limits) else { return nil }
    var rest = body[end...].dropFirst()
    guard let secrets = Self.secrets(json["secrets"], &rest), rest.isEmpty else { return nil }
    self.init(json: json, secrets: secrets)
  }

  private static func secrets(
    _ list: JSONValue?, _ rest: inout Slice<UnsafeRawBufferPointer>
  ) -> [String: ControlResult.Secret]? {
    guard let entries = list == nil ? [] : list?.array, entries.count <= mostSecrets else { return nil }
    var found: [String: ControlResult.Secret] = [:]
    for entry in entries {
      guard entry.array?.count == 2, let name = entry[0]?.string, found[name] == nil, let lengths = entry[1] else { return nil }
      if let texts = lengths.array {
        guard texts.count <= mostTexts else { return nil }
        var list: [SecretBox] = []
        for length in texts {
          guard let text = text(length, &rest) else { return nil }
          list.append(text)
        }
        found[name] = .list(list)
      } else {
        guard let text = text(lengths, &rest) else { return nil }
        found[name] = .text(text)
      }
    }
    return found
  }

  private static func text(_ length: JSONValue, _ rest: inout Slice<UnsafeRawBufferPointer>) -> SecretBox? {
    guard let length = length.integer.flatMap({ Int(exactly: $0) }), length > 0,
      length <= rest.count, length <= ControlRequest.longestSecret,
      let text = try? SecretBytes(copying: UnsafeRawBufferPointer(rebasing: rest.prefix(length)))
    else { return nil }
    rest = rest.dropFirst(length)
    return SecretBox(text)
  }
}
