import OwnerAPI
import QRCodes
import SecretMemory
import TerminalUI

/// What is printed on the pages of a kit besides the words. None of it is secret.
struct SharePage: Sendable {
  /// The place of one of the kit's shares.
  struct Place: Sendable {
    let group: Int, groupCount: Int, groupThreshold: Int
    let member: Int, memberCount: Int, memberThreshold: Int
  }

  /// The kit's number.
  let kit: String
  private let purpose: String
  private let isForOne: Bool
  private let npub: String?
  private let hasCode: Bool
  private let holds: String
  private let steps: [(text: String, command: String?)]
  private let elsewhere: String
  private let label: String
  private let date: String
  private let groups: [(threshold: Int, count: Int)]
  private let groupThreshold: Int

  init(kit detail: KitDetail) {
    let summary = detail.summary
    (kit, npub, hasCode, label) = (summary.id, summary.npub, summary.hasCode, summary.label)
    isForOne = npub != nil
    purpose = isForOne ? "the Nostr identity “\(summary.restores)”" : "a whole Holdfast vault, with every key in it"
    (holds, elsewhere) = (detail.holds, detail.elsewhere)
    steps = detail.steps.map { ($0.text, $0.command) }
    date = String(moment(summary.made).prefix(10))
    groups = summary.groups.filter { $0.count == 2 }.map { (Int(clamping: $0[0]), Int(clamping: $0[1])) }
    groupThreshold = Int(clamping: summary.groupThreshold)
  }

  /// The place of the share at `index` of the response. Nil if there is none.
  func place(of index: Int) -> Place? {
    var rest = index
    for (number, group) in groups.enumerated() {
      if rest < group.count {
        return Place(
          group: number + 1, groupCount: groups.count, groupThreshold: groupThreshold, member: rest + 1,
          memberCount: group.count, memberThreshold: group.threshold)
      }
      rest -= group.count
    }
    return nil
  }

  /// The name of the page's file, without a folder.
  func fileName(of place: Place) -> String {
    let group = place.groupCount > 1 ? "group-\(place.group)-" : ""
    return "holdfast-kit-\(kit)-\(group)sheet-\(place.member)-of-\(place.memberCount).html"
  }

  /// Writes one page: HTML without a script that needs no other file.
  /// - Parameters:
  ///   - words: the share's words, separated by single spaces.
  ///   - write: called with the pieces in order. The pieces with words are in guarded memory.
  func write(_ place: Place, words: borrowing SecretBytes, code: QRCode, to write: (UnsafeRawBufferPointer) -> Void) {
    func put(_ text: String) { Array(text.utf8).withUnsafeBytes(write) }
    put(head(place))
    words.withBytes { words in
      for word in words.split(separator: 0x20) {
        put("<li>")
        write(UnsafeRawBufferPointer(rebasing: word))
        put("</li>\n")
      }
    }
    put("</ol>\n<figure>")
    code.writeSVG(write)
    put("<figcaption>The same words, for a camera</figcaption></figure></section>\n")
    put(foot(place))
  }

  private func head(_ place: Place) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="robots" content="noindex"><meta name="viewport" content="width=device-width">
    <title>Recovery kit \(Self.escaped(kit)), \(Self.escaped(title(place)))</title>
    <style>\(Self.style)</style></head>
    <body><header><p class="brand">Holdfast recovery kit <b>\(Self.escaped(kit))</b></p>
    <h1>\(Self.escaped(title(place)))</h1>
    <p class="lead">\(Self.escaped(rule(place)))</p></header>
    <table><tr><th>Restores</th><td>\(Self.escaped(purpose))</td></tr>
    \(npub.map { "<tr><th>Its npub</th><td>\(Self.escaped($0))</td></tr>" } ?? "")
    <tr><th>Together they give</th><td>\(Self.escaped(holds)).</td></tr>
    <tr><th>Recovery code</th><td>\(hasCode ? "Needed in addition to the sheets. It is on no sheet." : "None.")</td></tr>
    <tr><th>Made</th><td>\(Self.escaped(date))\(label.isEmpty ? "" : " · " + Self.escaped(label))</td></tr></table>
    <section class="share"><ol>

    """
  }

  private func title(_ place: Place) -> String {
    let sheet = "Sheet \(place.member) of \(place.memberCount)"
    return place.groupCount > 1 ? "Group \(place.group) of \(place.groupCount), \(sheet.lowercased())" : sheet
  }

  private func rule(_ place: Place) -> String {
    if place.memberThreshold == 1 && place.groupThreshold == 1 {
      return "This sheet alone restores it. Keep it as you would keep the key."
    }
    let inGroup =
      place.memberThreshold == 1 ? "This sheet" : "Any \(place.memberThreshold) of these \(place.memberCount) sheets together"
    guard place.groupThreshold > 1 else {
      return "\(inGroup) restore it. Fewer reveal nothing about the \(isForOne ? "key" : "vault")."
    }
    return "\(inGroup) make up group \(place.group); \(place.groupThreshold) of the \(place.groupCount) groups restore it."
  }

  private func foot(_ place: Place) -> String {
    let items = steps.map { step in
      "<li>\(Self.escaped(step.text))\(step.command.map { Self.unbroken($0) } ?? "")</li>"
    }
    let others =
      isForOne
      ? "The npub is printed here so that the restored key can be compared with it. It also tells whoever finds this sheet whose key it is. "
      : ""
    return """
      <section class="use"><h2>How to use it</h2>
      <p>Holdfast is a program that keeps Nostr keys and signs with them. On the machine, the command <code>holdfast</code> must be \
      installed; <code>holdfast --version</code> shows whether it is.</p>
      <ol>\(items.joined(separator: "\n"))</ol>
      <p>\(Self.escaped(elsewhere))</p>
      <p>\(others)Keep this sheet dry, and apart from the others. It can be tested at any time with <code>holdfast recovery test</code>, \
      which shows no key. Type the words into nothing but your own Holdfast, and never give them to anybody who calls or writes. Whoever has enough \
      sheets \(isForOne ? "has the key" : "and the vault, or a backup of it, has everything in it").</p>
      </section>
      <section class="notes"><h2>Notes</h2><p>Given to, kept at, checked on:</p><i></i><i></i><i></i></section>
      </body></html>

      """
  }

  /// A command for paper. Lines break only between words, so that nobody takes a line's end for a space.
  private static func unbroken(_ command: String) -> String {
    let words = command.split(separator: " ").map { "<span>\(escaped(String($0)))</span>" }
    return "<code class=\"run\">\(words.joined(separator: " "))</code>"
  }

  private static let style = """
    @page{size:A4;margin:14mm}*{box-sizing:border-box}\
    body{font:9.5pt/1.35 Georgia,serif;color:#000;background:#fff;max-width:182mm;margin:0 auto;padding:4mm}\
    .brand{font-size:10pt;margin:0;letter-spacing:.02em}h1{font-size:20pt;margin:.1em 0}.lead{font-size:12pt;margin:.2em 0 .6em}\
    h2{font-size:12pt;margin:1em 0 .3em}table{border-collapse:collapse;margin-bottom:4mm}th{text-align:left;font-weight:normal;white-space:nowrap;\
    padding:0 5mm 0 0;vertical-align:top;color:#444}td{overflow-wrap:anywhere}\
    .share{display:flex;gap:8mm;align-items:flex-start;border:.4mm solid #000;padding:5mm;break-inside:avoid}\
    .share ol{columns:3;column-gap:8mm;margin:0;padding-left:9mm;flex:1;font:11pt/1.5 "DejaVu Sans Mono",Menlo,Consolas,monospace}\
    .share li{break-inside:avoid}.share li::marker{font-size:9pt;color:#444}figure{margin:0;width:46mm}figure svg{width:46mm;height:46mm;\
    display:block}figcaption{font-size:9pt;text-align:center}code{font-family:"DejaVu Sans Mono",monospace;font-size:9pt}\
    code.run{display:block;margin:.3em 0}code.run span{white-space:nowrap}.use p{font-size:8.5pt;margin:.5em 0}\
    .notes i{display:block;border-bottom:.2mm solid #888;height:8mm}@media print{body{padding:0}}
    """

  /// The longest text, in characters: twice that of the instructions, because nobody can complete what was printed cut off.
  private static let longestText = 1_200

  /// Escapes text for HTML and its attributes.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in printable(text, limit: longestText) {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
