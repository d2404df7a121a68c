import JSON
import LocalApps
import RemoteSigning

extension FuzzTarget {
  /// What a program sends to the apps' socket, with and without NIP-46, or says in a call on the session bus, and what the kernel says of the program.
  static let localApps = FuzzTarget("localapps") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    try request(input)
    let text = String(decoding: input, as: UTF8.self)
    for name in [ProcessFacts.unit(cgroup: text), ProcessFacts.flatpak(text), ProcessFacts.snap(text)].compactMap({ $0 }) {
      try require(!name.isEmpty && text.contains(name), "a name is part of the text")
    }
    if let parent = ProcessFacts.parent(stat: text) { try require(text.contains("\(parent)"), "a parent is part of the text") }
    _ = MountTable(text).isOnDisk(UInt64(input.count))
    try origin(text)
    try call(text)
    try frame(input)
  }

  private static func request(_ input: [UInt8]) throws(FuzzFault) {
    switch Result(catching: { () throws(AppRequest.Unreadable) in try AppRequest(line: input) }) {
    case .success(let request):
      try require(request.id.string != nil || request.id.integer != nil, "a request has an id")
      try require(request.id.serialized().count <= AppRequest.longestID, "an id is short")
      let bytes = request.parameters.reduce(0) { $0 + $1.count }
      // A control character that was escaped in a short way comes back in a longer one.
      try require(bytes <= 6 * input.count, "parameters are part of the request")
    case .failure(let unreadable): try require(unreadable.fault.message.utf8.count < 200, "an error is one sentence")
    }
  }

  private static func frame(_ input: [UInt8]) throws(FuzzFault) {
    switch Result(catching: { () throws(AppRequest.Unreadable) in try Frame(input, identity: nil) }) {
    case .success(let frame?):
      try require(frame.id.string != nil || frame.id.integer != nil, "a message has an id")
      try require(frame.id.serialized().count <= AppRequest.longestID, "an id is short")
    case .success(nil): break
    case .failure(let unreadable): try require(unreadable.fault.message.utf8.count < 200, "an error is one sentence")
    }
  }

  /// The method in the first line, an argument in each further one.
  private static func call(_ text: String) throws(FuzzFault) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    switch Result(catching: { () throws(AppFault) in try AppRequest(member: lines[0], texts: Array(lines.dropFirst())) }) {
    case .success(let request):
      try require(request.parameters.reduce(0) { $0 + $1.count } <= 6 * text.utf8.count, "parameters are part of the call")
      try require(request.identity.map { text.contains($0) || text.contains("\\") } ?? true, "an identity is part of the call")
    case .failure(let fault): try require(fault.message.utf8.count < 200, "an error is one sentence")
    }
  }

  private static func origin(_ text: String) throws(FuzzFault) {
    if let origin = WebOrigin(text) {
      try require(origin.text == text && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "an origin is plain ASCII")
      try require(!origin.host.isEmpty && text.hasSuffix(origin.host) || text.contains(origin.host + ":"), "a host is part of it")
    }
    if let link = CallingLink(user: 0, callback: text) {
      try require(!text.contains("/") || link.origin != nil, "a scheme has no path")
    }
  }
}
