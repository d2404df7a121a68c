/// Why a text is no XML that is taken here.
package enum XMLError: Error, Equatable {
  /// `at` is the byte where it stops being XML.
  case malformed(at: Int)
  /// Elements nested deeper than `limit`.
  case tooDeep(limit: Int)
  /// More than `limit` elements.
  case tooMany(limit: Int)
  /// A document type: nothing here needs one, and entities of a server's own have no end.
  case hasDocumentType
}
