import Encodings

/// What makes an identity easy to recognize, and the owner's notes about it. Readable while locked; never leaves the vault.
public struct IdentityDetails: Sendable, Hashable {
  /// More relays than anybody lists for one identity.
  public static let mostRelays = 20
  /// In bytes.
  public static let longestRelay = 512
  /// In bytes of UTF-8.
  public static let longestNotes = 4096

  /// Drawn beside the name.
  public private(set) var colour: Colour?
  /// One emoji, drawn beside the name.
  public private(set) var emoji: String?
  /// Addresses of relays, `ws://` or `wss://`, in the order they were given.
  public private(set) var relays: [String] = []
  /// Free text: lines, no other control characters.
  public private(set) var notes = ""

  /// Nothing.
  public init() {}

  /// Sets the colour, or takes it away.
  public mutating func set(colour: Colour?) { self.colour = colour }

  /// Sets the emoji, or takes it away with nil or an empty text. White space around it does not matter.
  /// - Throws: `.notOneEmoji` for anything but one grapheme that is drawn as an emoji.
  public mutating func set(emoji text: String?) throws(DetailError) {
    guard let text, !text.isEmpty else { return emoji = nil }
    guard let one = Emoji.single(in: text) else { throw .notOneEmoji }
    emoji = one
  }

  /// Sets the relays. The same address twice is kept once.
  /// - Throws: `.tooManyRelays`, `.notARelay` naming the place of the first that is none.
  public mutating func set(relays list: [String]) throws(DetailError) {
    guard list.count <= Self.mostRelays else { throw .tooManyRelays(limit: Self.mostRelays) }
    var kept: [String] = []
    for (index, relay) in list.enumerated() {
      guard Self.isRelay(relay) else { throw .notARelay(index: index) }
      if !kept.contains(relay) { kept.append(relay) }
    }
    relays = kept
  }

  /// Sets the notes. Line ends become `\n`; white space at both ends, and what reorders or hides text, is taken out.
  /// - Throws: `.notesTooLong`.
  public mutating func set(notes text: String) throws(DetailError) {
    guard text.utf8.count <= Self.longestNotes else { throw .notesTooLong(limit: Self.longestNotes) }
    var clean = String.UnicodeScalarView()
    var isBehindReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" || scalar == "\n" && !isBehindReturn { clean.append("\n") }
      isBehindReturn = scalar == "\r"
      if scalar != "\r", scalar != "\n", Self.isShown(scalar) { clean.append(scalar) }
    }
    while let last = clean.last, last.properties.isWhitespace { clean.removeLast() }
    while let first = clean.first, first.properties.isWhitespace { clean.removeFirst() }
    notes = String(clean)
  }

  /// `ws://` or `wss://`, a host, no user, visible ASCII. Whether a socket opens to it is found out where one is.
  static func isRelay(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= longestRelay, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) else {
      return false
    }
    guard let scheme = ["wss://", "ws://"].first(where: { text.utf8.starts(with: $0.utf8) }) else { return false }
    let host = bytes.dropFirst(scheme.utf8.count).prefix { $0 != 0x2f && $0 != 0x3f && $0 != 0x23 }
    return !host.isEmpty && host.first != 0x3a && !host.contains(0x40)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar == "\t"
    // Joiners belong to emoji and to some scripts; the other format characters change what a reader sees.
    case .format: scalar.value == 0x200d || scalar.value == 0x200c
    case .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }
}

/// What is wrong with a detail of an identity. No case carries any of it.
public enum DetailError: Error, Equatable, Sendable {
  /// Not exactly one emoji.
  case notOneEmoji
  /// The address at this place, from 0, is none of a relay.
  case notARelay(index: Int)
  case tooManyRelays(limit: Int)
  /// In bytes.
  case notesTooLong(limit: Int)
  /// Neither `#rrggbb` nor one of the named colours.
  case notAColour
}

/// A colour of 24 bits.
public struct Colour: Sendable, Hashable {
  /// 0 to 255 each.
  public let red, green, blue: UInt8

  /// A colour of its parts.
  public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// The accepted names, with their values.
  public static let named: [(name: String, text: String)] = [
    ("red", "#d32f2f"), ("orange", "#f57c00"), ("yellow", "#fbc02d"), ("green", "#388e3c"), ("teal", "#00897b"),
    ("blue", "#1976d2"), ("indigo", "#3949ab"), ("purple", "#8e24aa"), ("pink", "#d81b60"), ("brown", "#6d4c41"),
    ("grey", "#757575"), ("black", "#212121"),
  ]

  /// `#rrggbb`, or a name out of `named`, in either case.
  public init(_ text: String) throws(DetailError) {
    let lower = text.lowercased()
    let digits = Self.named.first { $0.name == lower }?.text ?? lower
    guard digits.utf8.first == 0x23, let bytes = Hex.decode(digits.utf8.dropFirst()), bytes.count == 3 else { throw .notAColour }
    self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
  }

  /// `#rrggbb`.
  public var text: String { "#" + Hex.encode([red, green, blue]) }
}

/// One emoji as a person types it.
enum Emoji {
  /// In bytes: the longest of Unicode 15 has 35.
  static let maximumLength = 64

  /// - Returns: the emoji, without white space around it; nil when there is another number of graphemes, or no emoji.
  static func single(in text: String) -> String? {
    guard text.utf8.count <= 2 * maximumLength else { return nil }
    let scalars = text.unicodeScalars.filter { !$0.properties.isWhitespace }
    let trimmed = String(String.UnicodeScalarView(scalars))
    guard trimmed.utf8.count <= maximumLength, trimmed.count == 1, let first = scalars.first, first.properties.isEmoji else {
      return nil
    }
    // Digits and signs are emoji only with what makes them keycaps.
    let isDrawn = first.properties.isEmojiPresentation || scalars.contains { $0.value == 0xfe0f || $0.value == 0x20e3 }
    return isDrawn && scalars.allSatisfy(belongs) ? trimmed : nil
  }

  /// What an emoji is made of: pictures, their modifiers, the joiner, the variation selectors, tags, keycap.
  private static func belongs(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji || scalar.value == 0x200d || scalar.value == 0xfe0f || scalar.value == 0x20e3
      || (0xe0020...0xe007f).contains(scalar.value)
  }
}
