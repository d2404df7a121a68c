// Sentences about shares for people, used by the command and by the signer.

extension ShareTextError {
  /// What is wrong with one share, and what to do.
  /// - Parameter thing: what it is called: “Share 2”.
  public func sentence(_ thing: String) -> (text: String, hint: String) {
    switch self {
    case .outOfMemory: ("There is not enough memory.", "Close other programs, then try again.")
    case .wordCount(let count):
      (
        "\(thing) has \(count) words; a share has 20, or 33.",
        "Check that no word is missing or repeated. From a kit's sheet, give only the words."
      )
    case .unknownWord(let position):
      (
        "\(thing): word \(position) is not in the list of words.",
        "Check the word; its first four letters are enough."
      )
    case .checksum:
      ("\(thing) is damaged: its words do not fit together.", "Look for a wrong word, or two that are swapped.")
    case .padding, .tooFewGroups: ("\(thing) is well formed, but no kit has such a share.", "Check its words again.")
    case .otherKit: ("\(thing) belongs to another kit.", "The kit's number is on each sheet. Use sheets with the same number.")
    case .otherRules:
      ("\(thing) has this kit's number, but other groups: it is forged or damaged.", "Leave it out.")
    case .duplicate(let first): ("\(thing) is the same as share \(first).", "Give another share.")
    case .conflict(let first):
      (
        "\(thing) has the same number as share \(first) but other words: one of them is forged or from an older kit.",
        "Leave one out."
      )
    case .disagrees:
      ("\(thing) does not fit the others: it is forged, or from an older kit.", "Leave it out and give another one.")
    }
  }
}

extension ShareNumbers {
  /// The kit's number as it is printed: four hex digits.
  public var kit: String {
    let digits = String(identifier, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

extension ShareProgress {
  /// What is still missing, in words; empty when nothing is.
  public var missing: String {
    if isComplete { return "" }
    if groupCount == 1, let group = groups.first { return "\(group.missing) more of this kit" }
    let begun = groups.filter { !$0.isComplete }.map { "\($0.missing) more of group \($0.number)" }
    let further = missingGroups - begun.count
    let parts = begun + (further > 0 ? ["\(further) more group\(further == 1 ? "" : "s")"] : [])
    return parts.joined(separator: " and ") + " (any \(groupThreshold) of \(groupCount) groups are needed)"
  }
}
