/// The candidate closest to a mistyped word, nil when none is close.
///
/// Close means: one starts with the other (3 letters or more), or few enough single-letter edits, swaps included.
public func nearest(to word: String, among candidates: [String]) -> String? {
  let typed = Array(word.utf8.prefix(64))
  guard typed.count >= 2 else { return nil }
  if typed.count >= 3, let completed = candidates.first(where: { $0.utf8.starts(with: typed) }) { return completed }
  let ranked = candidates.map { (name: $0, edits: edits(from: typed, to: Array($0.utf8))) }
  guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
  return best.edits <= max(1, typed.count / 3) ? best.name : nil
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
