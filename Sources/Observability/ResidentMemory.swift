import Platform

/// How much of this process's memory is in RAM.
enum ResidentMemory {
  /// As the kernel counts it. 0 if the kernel does not report it.
  static func kibibytes() -> Int64 {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return 0 }
    let fields = bytes[..<count].split(separator: 0x20)
    guard fields.count > 1, let pages = Int64(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
    return pages * Int64(getpagesize()) / 1024
  }
}
