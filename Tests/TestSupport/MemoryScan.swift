import Platform

/// Looks for a canary in all memory of this process that can be read.
public enum MemoryScan {
  private static let window = 1 << 20
  /// What is larger is no memory of a program's own, but a sanitizer's shadow of all there could be.
  private static let largestRegion: UInt = 1 << 40

  /// How often the canary stands in this process's writable memory, at any alignment.
  ///
  /// Read through `/proc/self/mem` into a window of its own, which is left out. Other threads may go on: what they unmap is skipped.
  public static func occurrences(of canary: Canary) -> Int {
    let file = open("/proc/self/mem", O_RDONLY)
    precondition(file >= 0, "no /proc/self/mem")
    defer { close(file) }
    let anywhere = mmap(nil, window, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let buffer = anywhere, buffer != MAP_FAILED else { return 0 }
    defer { munmap(buffer, window) }
    var found = 0
    for region in writableRegions() {
      // Neighbours may be listed as one with the window: cut it out.
      let own = UInt(bitPattern: buffer)..<UInt(bitPattern: buffer) + UInt(window)
      for part in [
        region.lowerBound..<max(region.lowerBound, min(region.upperBound, own.lowerBound)),
        min(region.upperBound, max(region.lowerBound, own.upperBound))..<region.upperBound,
      ] {
        found += occurrences(of: canary, at: part, in: file, UnsafeMutableRawBufferPointer(start: buffer, count: window))
      }
    }
    return found
  }

  private static func occurrences(
    of canary: Canary, at region: Range<UInt>, in file: Int32, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    var (found, position) = (0, region.lowerBound)
    while position < region.upperBound {
      let length = min(buffer.count, Int(region.upperBound - position))
      let count = pread(file, buffer.baseAddress, length, off_t(position))
      guard count > 0 else { break }
      found += occurrences(of: canary, in: UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
      guard position + UInt(count) < region.upperBound, count > Canary.length else { break }
      position += UInt(count - Canary.length + 1)  // a canary across two windows is seen once
    }
    return found
  }

  static func occurrences(of canary: Canary, in bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress, bytes.count >= Canary.length else { return 0 }
    let (first, second) = (Int32(canary.byte(0)), canary.byte(1))
    var (found, start) = (0, 0)
    let last = bytes.count - Canary.length
    while start <= last, let hit = memchr(base + start, first, last - start + 1) {
      let position = UnsafeRawPointer(hit) - base
      if bytes[position + 1] == second, (2..<Canary.length).allSatisfy({ bytes[position + $0] == canary.byte($0) }) { found += 1 }
      start = position + 1
    }
    return found
  }

  private static func writableRegions() -> [Range<UInt>] {
    guard let maps = fopen("/proc/self/maps", "r") else { return [] }
    defer { fclose(maps) }
    var regions: [Range<UInt>] = []
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), maps) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let fields = text.split(separator: " ")
      guard fields.count > 1, fields[1].hasPrefix("rw") else { continue }
      let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2, ends[0] < ends[1], ends[1] - ends[0] < largestRegion { regions.append(ends[0]..<ends[1]) }
    }
    return regions
  }
}
