package import OwnerAPI

extension OperationError {
  /// A member of a request that is missing or has the wrong type.
  package init(_ error: FieldError) {
    let text =
      switch error {
      case .missing(let name), .secretMissing(let name): "“\(name)” is missing."
      case .notText(let name): "“\(name)” must be a text."
      case .notInteger(let name): "“\(name)” must be a whole number."
      case .notFlag(let name): "“\(name)” must be true or false."
      case .notTexts(let name): "“\(name)” must be a list of texts."
      case .notObject(let name): "“\(name)” must be an object."
      case .notArray(let name): "“\(name)” must be a list."
      case .notAWord(let name, let words): "“\(name)” must be one of: \(words.joined(separator: ", "))."
      case .notADuration(let name): "“\(name)” must be once, always, or \(Duration.form)."
      case .secretAmongParameters(let name): "“\(name)” is a secret. Send it with the secrets, not with the parameters."
      }
    self = .usage(text)
  }
}
