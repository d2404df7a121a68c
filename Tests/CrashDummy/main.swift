// A program for one test: it holds a canary and crashes. Arguments: the canary's number, how to hold it, how to crash.
import Platform
import SecretMemory
import TestSupport

let arguments = CommandLine.arguments
guard arguments.count > 2, let seed = UInt64(arguments[1]) else { exit(2) }
let canary = Canary(seed)
let wishes = Set(arguments[2...])

if wishes.contains("hardened") {
  ProcessHardening.disableCrashReports()
  guard ProcessHardening.apply().isEmpty else { exit(3) }
}

@inline(never)
func crash(_ bytes: UnsafeRawBufferPointer) -> Int {
  if wishes.contains("printing") { _ = write(1, bytes.baseAddress, bytes.count) }
  if wishes.contains("abort") { abort() }
  // Copying to an address where nothing is crashes with the canary's own address in a register: crash reports look there.
  if wishes.contains("copying"), let nowhere = UnsafeMutableRawPointer(bitPattern: 8), let base = bytes.baseAddress {
    memcpy(nowhere, base, bytes.count)
  }
  let empty: [UInt8] = []
  return Int(empty[bytes.count]) + Int(bytes[0])
}

if wishes.contains("unguarded") {
  // The control: an ordinary array, as the secret must never be.
  var plain = [UInt8](repeating: 0, count: Canary.length)
  plain.withUnsafeMutableBytes { canary.plant(in: $0) }
  print(plain.withUnsafeBytes(crash))
} else {
  let held = try SecretBytes(count: Canary.length) { canary.plant(in: $0) }
  print(held.withBytes(crash))
}
