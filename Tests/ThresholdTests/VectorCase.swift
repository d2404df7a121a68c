import TestSupport

/// One case of a file of vectors, as its JSON has it.
protocol VectorCase {
  var object: [String: Any] { get }
}

extension VectorCase {
  var comment: String { object["comment"] as? String ?? "" }

  /// Nil for null and for what is not there.
  func bytes(_ name: String) -> [UInt8]? { (object[name] as? String).map { TestSupport.bytes($0) } }
}
