import CPostgreSQL

/// The parameters of a statement in PostgreSQL's binary form: bytes stay bytes, and no text can be taken for SQL.
struct PostgresParameters {
  /// PostgreSQL's types of the parameters: `bigint`, `text`, `bytea`.
  let types: [Oid]
  private var content: [UInt8] = []
  private var places: [Range<Int>] = []

  init(_ values: [RegistrationsValue]) {
    types = values.map(Self.type)
    for value in values {
      let start = content.count
      switch value {
      case .number(let number): withUnsafeBytes(of: number.bigEndian) { content.append(contentsOf: $0) }
      case .text(let text): content.append(contentsOf: text.utf8)
      case .bytes(let bytes): content.append(contentsOf: bytes)
      }
      places.append(start..<content.count)
    }
    content.append(0)  // an empty value has an address, too: none would mean null
  }

  private static func type(_ value: RegistrationsValue) -> Oid {
    switch value {
    case .number: 20
    case .text: 25
    case .bytes: 17
    }
  }

  /// Lends values, lengths and formats for the length of one call.
  func lend<Result>(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    content.withUnsafeBufferPointer { content in
      let values = places.map { place -> UnsafePointer<CChar>? in
        content.baseAddress.map { UnsafeRawPointer($0 + place.lowerBound).assumingMemoryBound(to: CChar.self) }
      }
      let lengths = places.map { Int32(clamping: $0.count) }
      return body(Int32(places.count), values, lengths, places.map { _ in 1 })
    }
  }
}
