internal import JSON

extension ResultText {
  /// `slot rotate`
  static func rotated(_ result: JSONValue) -> String {
    let kept = result["kept"]?.array ?? []
    let done = "Everything is sealed anew under new keys."
    return kept.isEmpty ? done : done + "\nKept as it was, because nobody showed what opens it: \(classes(kept))."
  }

  /// `slot enrol`
  static func enrolled(_ result: JSONValue) -> String {
    let (enrolled, closed) = (result["enrolled"]?.array ?? [], result["closed"]?.array ?? [])
    let done = enrolled.isEmpty ? "Nothing was closed." : "The present passkeys open: \(classes(enrolled))."
    return closed.isEmpty ? done : done + "\nStays closed, because the recovery kit has no key for it: \(classes(closed))."
  }

  private static func classes(_ names: [JSONValue]) -> String { names.map { shown($0) }.joined(separator: "; ") }
}
