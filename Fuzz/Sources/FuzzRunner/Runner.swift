import FuzzEntries
import Platform

// libFuzzer brings `main`. The target is named by HOLDFAST_FUZZ_TARGET, so that one link serves all of them.
private let target: FuzzTarget = {
  let name = getenv("HOLDFAST_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  if let target = FuzzTarget.named(name) { return target }
  print("HOLDFAST_FUZZ_TARGET must be one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
  exit(2)
}()

/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Randomness.restart()
  do { try target.run(UnsafeRawBufferPointer(start: bytes, count: count)) } catch {
    fatalError("\(target.name): \(error)")  // how a finding is told to libFuzzer
  }
  return 0
}

/// Prints the names of the targets and ends, when `-list` is the only argument.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  Randomness.install()
  guard count.pointee == 2, let argument = arguments.pointee[1], strcmp(argument, "-list") == 0 else { return 0 }
  for target in FuzzTarget.all { print(target.name) }
  exit(0)
}
