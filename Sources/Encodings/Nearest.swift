/// The candidate closest to a mistyped word, nil when none is close.
///
/// Close means: the candidate starts with the word (3 letters or more), or few enough single-letter edits, swaps included; one more if
/// letters were only left out. Small and capital letters are the same.
public func nearest(to word: String, among candidates: [String]) -> String? {
  let typed = lowercased(word)
  guard typed.count >= 2 else { return nil }
  if typed.count >= 3, let completed = candidates.first(where: { lowercased($0).starts(with: typed) }) { return completed }
  let ranked = candidates.map { (name: $0, edits: edits(from: typed, to: lowercased($0))) }
  guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
  let most = max(1, typed.count / 3) + (isShortened(typed, lowercased(best.name)) ? 1 : 0)
  return best.edits <= most ? best.name : nil
}

/// The first 64 bytes, with ASCII letters in lower case.
private func lowercased(_ word: String) -> [UInt8] {
  word.utf8.prefix(64).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
}

/// Whether a word of 3 letters or more begins as the whole one does, and only lacks some of its letters: `colr` for `colour`.
private func isShortened(_ word: [UInt8], _ whole: [UInt8]) -> Bool {
  guard word.count >= 3, word.first == whole.first else { return false }
  var rest = word[...]
  for letter in whole where letter == rest.first { rest.removeFirst() }
  return rest.isEmpty
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other.
private func edits(from a: [UInt8], to b: [UInt8]) -> Int {
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      let replaced = rows[i][j] + (a[i] == b[j] ? 0 : 1)
      var cost = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
      row.append(cost)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
