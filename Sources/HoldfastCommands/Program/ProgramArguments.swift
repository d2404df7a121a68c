import CommandLine
import Platform
import TerminalUI

/// What the program was called with, its own name first.
///
/// The runtime looks for it beside the environment, and finds nothing where a preloaded library moved that; the kernel still knows.
public func programArguments() -> [String] {
  let known = CommandLine.arguments
  guard known.isEmpty, let file = fopen("/proc/self/cmdline", "r") else { return known }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
  return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { String(decoding: $0, as: UTF8.self) }
}
