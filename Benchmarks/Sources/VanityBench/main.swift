import Glibc
import VanitySearch

// VanityBench SECONDS THREADS [end]: keys tried in a second of CPU time of one thread, while THREADS of them search for so long.

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let isEnd = CommandLine.arguments.last == "end"
guard arguments.count == 2 else {
  print("VanityBench SECONDS THREADS [end]")
  exit(2)
}
// 60 bits are not found. For the end of an npub 30 bits of checksum are looked at for every key; they are found in a minute or so, and
// then it is measured again.
let pattern = isEnd ? try VanityPattern(prefix: "", npubSuffix: "qqqqqq") : try VanityPattern(prefix: "npub1qqqqqqqqqqqq")
while true {
  let search = try VanitySearch(for: pattern, threads: arguments[1])
  _ = try search.wait(milliseconds: 200)
  let (begin, before) = (cpuSeconds(), search.tried)
  if try search.wait(milliseconds: arguments[0] * 1000) { continue }
  let (end, after) = (cpuSeconds(), search.tried)
  search.stop()
  print(Int(Double(after - before) / (end - begin)))
  break
}
