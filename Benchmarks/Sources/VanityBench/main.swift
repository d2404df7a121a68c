import Glibc
import VanitySearch

// VanityBench SECONDS THREADS: keys tried in a second of CPU time of one thread, while THREADS of them search for so long.

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 2 else {
  print("VanityBench SECONDS THREADS")
  exit(2)
}
// 60 bits are not found.
let search = try VanitySearch(for: VanityPattern(prefix: "npub1qqqqqqqqqqqq"), threads: arguments[1])
_ = try search.wait(milliseconds: 200)
let (begin, before) = (cpuSeconds(), search.tried)
_ = try search.wait(milliseconds: arguments[0] * 1000)
let (end, after) = (cpuSeconds(), search.tried)
search.stop()
print(Int(Double(after - before) / (end - begin)))
