import Platform

/// How much memory this process had.
enum Footprint {
  /// The highest resident size of this program so far, in KiB: VmHWM, which the kernel begins anew with the program. The ru_maxrss that a
  /// parent gets of a child begins with the parent's own size.
  static var peak: Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = line.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) ?? 0 }
    }
    return 0
  }
}
