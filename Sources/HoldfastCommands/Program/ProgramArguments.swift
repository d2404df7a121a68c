import CommandLine
import Platform
import TerminalUI

/// The arguments of the program, beginning with its name.
///
/// The runtime finds them next to the environment, and finds nothing if a preloaded library moved that. The kernel still has
/// them.
public func programArguments() -> [String] {
  let known = CommandLine.arguments
  guard known.isEmpty, let file = fopen("/proc/self/cmdline", "r") else { return known }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
  return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { String(decoding: $0, as: UTF8.self) }
}
