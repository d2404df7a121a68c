/// Why a text is refused as XML.
package enum XMLError: Error, Equatable {
  /// `at` is the offset of the first byte that is not valid XML.
  case malformed(at: Int)
  /// Elements nested deeper than `limit`.
  case tooDeep(limit: Int)
  /// More than `limit` elements.
  case tooMany(limit: Int)
  /// A document type. It is never needed here, and a server could use entities to make the text endless.
  case hasDocumentType
}
