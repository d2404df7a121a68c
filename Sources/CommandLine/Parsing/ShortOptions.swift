/// The one-letter forms of options. A name has the same letter in every command that takes it, and no two names have the same.
public enum ShortOptions {
  /// By the option's name, without dashes.
  public static let letters: [String: Character] = [
    "follow": "f", "help": "h", "limit": "n", "out": "o", "quiet": "q", "version": "V", "yes": "y",
  ]
}
