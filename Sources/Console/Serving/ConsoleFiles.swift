import CConsoleFiles
import Ciphers
import Encodings

/// One page, script, style sheet or image of the console, compiled into the program.
struct ConsoleFile: Sendable {
  /// Below `Web/console`.
  let path: String
  let bytes: [UInt8]

  var contentType: String {
    switch path.split(separator: ".").last ?? "" {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "txt": "text/plain; charset=utf-8"
    case "woff2": "font/woff2"
    default: "application/octet-stream"
    }
  }

  /// Half of the content's hash, quoted.
  var tag: String { "\"" + Hex.encode(Array(SHA256.digest(of: bytes).array.prefix(16))) + "\"" }
}

/// The table of the console's files. A request must name one of them exactly: no path is ever built from a request.
enum ConsoleFiles {
  /// - Parameter path: the request's path, beginning with `/`. `/` alone is the first page.
  static func file(at path: String) -> ConsoleFile? {
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    guard let index = (0..<holdfast_console_file_count).first(where: { Self.name($0) == name }) else { return nil }
    return ConsoleFile(path: name, bytes: bytes(index))
  }

  /// All paths.
  static var paths: [String] { (0..<holdfast_console_file_count).map(name) }

  private static func name(_ index: Int) -> String { withEntry(index) { String(cString: $0.path) } }

  private static func bytes(_ index: Int) -> [UInt8] {
    withEntry(index) { [UInt8](UnsafeBufferPointer(start: $0.bytes, count: $0.count)) }
  }

  // The table is a C array of unknown length, of which Swift sees the first element.
  private static func withEntry<R>(_ index: Int, _ body: (holdfast_console_file) -> R) -> R {
    body(holdfast_console_file_at(index).pointee)
  }
}
