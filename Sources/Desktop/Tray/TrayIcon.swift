/// The icon as pixels, which fits every theme: a disc with a keyhole.
enum TrayIcon {
  /// The sizes, in pixels. Panels take the one that fits.
  static let sizes: [Int32] = [24, 48]

  /// As `IconPixmap` has it: width, height, and bytes of alpha, red, green and blue from the top left.
  static func pixmaps(_ state: TrayContents.State) -> BusValue {
    .array(
      of: "(iiay)", sizes.map { size in .structure([.int32(size), .int32(size), .bytes(pixels(size, colour(state)))]) })
  }

  private static func colour(_ state: TrayContents.State) -> [UInt8] {
    switch state {
    case .open: [0xFF, 0x2E, 0x7D, 0x5B]
    case .locked: [0xFF, 0x6B, 0x72, 0x80]
    case .waiting: [0xFF, 0xD9, 0x77, 0x06]
    }
  }

  private static func pixels(_ size: Int32, _ colour: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<size {
      for column in 0..<size {
        let (x, y) = (Double(2 * column + 1) / Double(size) - 1, Double(2 * row + 1) / Double(size) - 1)
        bytes += isKeyhole(x, y) ? [0xFF, 0xFF, 0xFF, 0xFF] : x * x + y * y < 1 ? colour : [0, 0, 0, 0]
      }
    }
    return bytes
  }

  /// - Parameters x, y: from -1 to 1, from the left and the top.
  private static func isKeyhole(_ x: Double, _ y: Double) -> Bool {
    let isHead = x * x + (y + 0.2) * (y + 0.2) < 0.09
    return isHead || (-0.2..<0.55).contains(y) && x.magnitude < 0.12 + 0.15 * (y + 0.2)
  }
}
