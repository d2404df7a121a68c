import Glibc
import Mnemonics
import SecretMemory

// ShareBench split|combine COUNT BYTES
//   split    makes a kit of three in five for a secret of so many bytes, with its words
//   combine  reads three of them and puts the secret together
// Prints µs for each, CPU time.

func microseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

func kit(_ secret: borrowing SecretBytes) throws -> [SecretBox] {
  try SharedSecret.split(secret, into: SharePlan(threshold: 3, count: 5))[0].map { SecretBox(try $0.words()) }
}

func combine(_ shares: [SecretBox]) throws -> Int {
  var collection = ShareCollection()
  for share in shares { try collection.add(try share.withBytes { (words) throws(ShareTextError) in try Share(words: words) }) }
  return try collection.secret().count
}

guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[2]), let bytes = Int(CommandLine.arguments[3])
else { exit(2) }
let secret = try SecretBytes(randomCount: bytes)
let shares = Array(try kit(secret)[1...3])
let before = microseconds()
switch CommandLine.arguments[1] {
case "split": for _ in 0..<count { if try kit(secret).count != 5 { exit(1) } }
case "combine": for _ in 0..<count { if try combine(shares) != bytes { exit(1) } }
default: exit(2)
}
print((microseconds() - before) / Double(count))
