import Curve
import Encodings
import Glibc
import SecretMemory

/// What `c/generate.c` wrote: keys first, then one relay message a line.
struct InputFile {
  /// The messages' created_at, seconds since 1970.
  let now: Int64
  let user: KeyPair
  /// Each client with the key it is answered with.
  let pairings: [(client: PublicKey, transport: KeyPair)]
  let messages: [[UInt8]]

  init(path: String) {
    var lines = Lines(readWholeFile(path))
    now = Int64(lines.value("now")) ?? 0
    user = lines.keyPair("user")
    let count = Int(lines.value("pairings")) ?? 0
    var pairings: [(client: PublicKey, transport: KeyPair)] = []
    for _ in 0..<count { pairings.append((lines.publicKey("client"), lines.keyPair("transport"))) }
    self.pairings = pairings
    let messageCount = Int(lines.value("messages")) ?? 0
    messages = (0..<messageCount).map { _ in lines.next() }
  }
}

/// The lines of a file, each `name value` while the header lasts.
private struct Lines {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> [UInt8] {
    guard let end = bytes[position...].firstIndex(of: 0x0a) else { fail("the input file is cut short") }
    defer { position = end + 1 }
    return Array(bytes[position..<end])
  }

  mutating func value(_ name: String) -> String {
    let line = String(decoding: next(), as: UTF8.self)
    guard line.hasPrefix(name + " ") else { fail("the input file has no line for \(name)") }
    return String(line.dropFirst(name.utf8.count + 1))
  }

  mutating func publicKey(_ name: String) -> PublicKey {
    guard let key = Bytes32(hex: value(name)) else { fail("the input file's \(name) is no key") }
    return PublicKey(key)
  }

  mutating func keyPair(_ name: String) -> KeyPair {
    guard var bytes = Hex.decode(value(name)), let secret = try? SecretBytes(wiping: &bytes),
      let pair = try? KeyPair(SecretKey(secret))
    else { fail("the input file's \(name) is no key") }
    return pair
  }
}

private func readWholeFile(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fail("cannot open \(path)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  return [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, filled in
    filled = fread(buffer.baseAddress, 1, buffer.count, file)
  }
}

func fail(_ what: String) -> Never {
  let line = "EngineBench: \(what)\n"
  _ = write(2, line, line.utf8.count)
  exit(1)
}
