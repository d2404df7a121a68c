import CommandLine

/// `holdfast identity vanity`
enum IdentityVanityCommand: ProgramCommand {
  static let place = Command(
    "vanity", "Search for a key that begins or ends as you choose",
    discussion: """
      Tries keys on all cores until one matches, and makes it an identity. Each further character of an npub takes 32 times as \
      long, each hex digit 16 times: five characters after npub1 take about a second, eight take hours.

      The key is a random number like any other. It does not come from words, because deriving every tried key from words \
      would be tens of thousands of times as slow. So back up the key itself: holdfast identity export NAME, or a recovery \
      kit.

      After npub1 the letters b, i, o and the digit 1 never occur. Searching for an ending \
      works in the same way. The seventh character from the end of an npub is always q or s.
      """,
    arguments: [Argument("name", "A name for the identity; only you see it")],
    options: [
      .value("prefix", "TEXT", "How the key begins: npub1 and up to 12 characters, or up to 16 hex digits"),
      .value("suffix", "HEX", "How the key ends in hex: up to 16 hex digits"),
      .value("npub-suffix", "TEXT", "How the npub ends: up to 12 characters"),
      .value("threads", "N", "How many threads search (default: one for each core)"),
    ],
    examples: [
      Example("holdfast identity vanity alice --prefix npub1ace", "an npub that begins with npub1ace"),
      Example("holdfast identity vanity bob --prefix b0b --suffix 00", "a key that is b0b…00 in hex"),
      Example("holdfast identity vanity carol --npub-suffix cat", "an npub that ends with cat"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try searchForKey(line) }
}
