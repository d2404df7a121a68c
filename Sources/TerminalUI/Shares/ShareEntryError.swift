import Mnemonics
public import SecretMemory

/// What is wrong with shares that were given, in words.
public struct ShareEntryError: Error {
  /// What happened. Never a word of a share.
  public let text: String
  /// What to do next.
  public let hint: String
  /// The word that was probably meant, for the eyes of whoever typed it: to a terminal, never into JSON, a file or a log.
  public let suggestion: SecretBox?

  /// What kind of fault it is, for the exit code.
  public let kind: Kind

  /// What kind of fault it is.
  public enum Kind: Sendable {
    /// The input is no share.
    case malformed
    /// The shares do not fit, or are not enough.
    case unfit
    /// The input could not be read.
    case unread(SecretInputError)
  }

  /// An error in words.
  public init(_ text: String, hint: String = "", suggestion: SecretBox? = nil, kind: Kind = .unfit) {
    (self.text, self.hint, self.suggestion, self.kind) = (text, hint, suggestion, kind)
  }

  init(_ name: String, _ fault: ShareTextError, suggestion: SecretBox?) {
    let (text, hint) = fault.sentence(name)
    self.init(text, hint: hint, suggestion: suggestion, kind: fault.isMalformed ? .malformed : .unfit)
  }
}
