public import SecretMemory

/// The share on a page of a recovery kit: the HTML that `holdfast recovery create --out` writes. Nothing else in the file is read.
public enum SharePageText {
  /// The most words of a share.
  public static let mostWords = 33
  private static let fewestWords = 20
  private static let longestWord = 8

  private static let beginning = Array("<!DOCTYPE html>".utf8)
  private static let list = Array("<section class=\"share\"><ol>".utf8)
  private static let item = (begin: Array("<li>".utf8), end: Array("</li>".utf8))
  private static let listEnd = Array("</ol>".utf8)

  /// Whether a text is a page and no list of words.
  public static func isPage(_ text: UnsafeRawBufferPointer) -> Bool {
    let start = text.firstIndex { $0 > 0x20 } ?? text.count
    return text[start...].starts(with: beginning)
  }

  /// The words of the page's share, separated by single spaces. Whether they are a share is checked by whoever reads them.
  /// - Returns: nil unless the page has exactly one share, written as Holdfast writes it.
  public static func words(in page: UnsafeRawBufferPointer) -> SecretBytes? {
    guard let words = ranges(in: page) else { return nil }
    let length = words.reduce(words.count - 1) { $0 + $1.count }
    return try? SecretBytes(count: length) { text in
      var end = 0
      for word in words {
        if end > 0 {
          text[end] = 0x20
          end += 1
        }
        UnsafeMutableRawBufferPointer(rebasing: text[end..<end + word.count]).copyBytes(from: page[word])
        end += word.count
      }
    }
  }

  private static func ranges(in page: UnsafeRawBufferPointer) -> [Range<Int>]? {
    let lists = page.indices.filter { page[$0] == list[0] && page[$0...].starts(with: list) }
    guard let first = lists.first, lists.count == 1 else { return nil }
    var (words, place): ([Range<Int>], Int) = ([], first + list.count)
    while true {
      while place < page.count, page[place] <= 0x20 { place += 1 }
      if page[place...].starts(with: listEnd) { return words.count >= fewestWords ? words : nil }
      guard page[place...].starts(with: item.begin), words.count < mostWords else { return nil }
      let start = place + item.begin.count
      let end = page[start...].firstIndex { !(0x61...0x7A).contains($0) } ?? page.count
      guard (1...longestWord).contains(end - start), page[end...].starts(with: item.end) else { return nil }
      words.append(start..<end)
      place = end + item.end.count
    }
  }
}
