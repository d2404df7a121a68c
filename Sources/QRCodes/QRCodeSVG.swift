extension QRCode {
  /// Light modules around the code that readers need (ISO/IEC 18004).
  private static var quietZone: Int { 4 }

  /// Length of the SVG form in bytes.
  public var svgLength: Int {
    var length = 0
    writeSVG { length += $0.count }
    return length
  }

  /// Gives the SVG form piece by piece, so that the code of a secret is never a whole text.
  ///
  /// One `svg` element, black on white with its quiet zone, one unit to a module and without a size of its own: the page's style
  /// gives it one. No script, no reference to anything outside, so that a page can contain it unchanged.
  public func writeSVG(_ write: (UnsafeRawBufferPointer) -> Void) {
    func put(_ text: StaticString) { write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }
    func put(_ number: Int) {
      withUnsafeBytes(of: Digits(number)) { write(UnsafeRawBufferPointer(rebasing: $0[..<Digits.count(number)])) }
    }
    let side = size + 2 * Self.quietZone
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
    put(side)
    put(" ")
    put(side)
    put("\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h")
    put(side)
    put("v")
    put(side)
    put("H0z\"/><path d=\"")
    for row in 0..<size {
      for run in darkRuns(row) {
        put("M")
        put(run.lowerBound + Self.quietZone)
        put(" ")
        put(row + Self.quietZone)
        put("h")
        put(run.count)
        put("v1h-")
        put(run.count)
        put("z")
      }
    }
    put("\"/></svg>")
  }

  /// The SVG form as text, for codes that hold no secret.
  public func svg() -> String {
    var bytes: [UInt8] = []
    writeSVG { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func darkRuns(_ row: Int) -> [Range<Int>] {
    var (runs, column): ([Range<Int>], Int) = ([], 0)
    while column < size {
      let start = column
      while isDark(row: row, column: column) { column += 1 }
      if column > start { runs.append(start..<column) }
      column += 1
    }
    return runs
  }
}

/// A number below 1,000 as ASCII digits in place: a code has at most 177 modules on a side.
private struct Digits {
  private let (first, second, third): (UInt8, UInt8, UInt8)

  init(_ number: Int) {
    let digits = [number / 100 % 10, number / 10 % 10, number % 10].suffix(Self.count(number)).map { UInt8(0x30 + $0) }
    first = digits[0]
    second = digits.count > 1 ? digits[1] : 0
    third = digits.count > 2 ? digits[2] : 0
  }

  static func count(_ number: Int) -> Int { number >= 100 ? 3 : number >= 10 ? 2 : 1 }
}
