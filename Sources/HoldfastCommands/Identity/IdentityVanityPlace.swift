import CommandLine

/// `holdfast identity vanity`
enum IdentityVanityCommand: ProgramCommand {
  static let place = Command(
    "vanity", "Search for a key that begins as you like",
    discussion: """
      Tries keys on all cores until one has the wanted beginning, and makes it an identity. Each further character of an npub takes \
      32 times as long, each hex digit 16 times: five characters after npub1 are found in about a second, eight in hours.

      The key is a random number like any other, and it does not come from words: there is nothing to write down but the key itself. \
      (Words for each key that is tried would make the search tens of thousands of times as slow.) \
      Make its backup when it is there: holdfast identity export NAME, or a recovery kit.

      After npub1 the letters b, i, o and the digit 1 never occur. The end of an npub is found \
      as its beginning is; the seventh character from the end is always q or s.
      """,
    arguments: [Argument("name", "A name for it, for your eyes only")],
    options: [
      .value("prefix", "TEXT", "How it begins: npub1 and up to 12 characters, or up to 16 hex digits"),
      .value("suffix", "HEX", "How its hex form ends: up to 16 hex digits"),
      .value("npub-suffix", "TEXT", "How its npub ends: up to 12 characters"),
      .value("threads", "N", "How many threads search (else one for each core)"),
    ],
    examples: [
      Example("holdfast identity vanity alice --prefix npub1ace", "an npub that begins with npub1ace"),
      Example("holdfast identity vanity bob --prefix b0b --suffix 00", "a key that is b0b…00 in hex"),
      Example("holdfast identity vanity carol --npub-suffix cat", "an npub that ends with cat"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try searchForKey(line) }
}
