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

  /// An error in words.
  public init(_ text: String, hint: String = "", suggestion: SecretBox? = nil) {
    (self.text, self.hint, self.suggestion) = (text, hint, suggestion)
  }

  init(_ name: String, _ fault: ShareTextError, suggestion: SecretBox?) {
    let (text, hint) = fault.sentence(name)
    self.init(text, hint: hint, suggestion: suggestion)
  }
}
