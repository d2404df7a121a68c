import JSON
import Platform
import PushProxy
import Sockets

extension PushProgram {
  /// The line of `--json`.
  static func ready(_ service: ProxyService, _ options: PushOptions, _ port: UInt16) -> String {
    let line = JSONValue.object([
      .init("ready", .bool(true)), .init("port", .integer(Int64(port))),
      .init("public_url", .string(options.settings.server.base)),
      .init("relays", .array(relays(options).map { .string($0) })), .init("apns", .bool(options.settings.apple != nil)),
      .init("application_server_key", .string(service.applicationServerKey)),
      .init(options.storage.isShared ? "database" : "data", .string(service.place)),
    ])
    return String(decoding: line.serialized(), as: UTF8.self)
  }

  /// The same for people.
  static func greeting(_ service: ProxyService, _ options: PushOptions, _ port: UInt16) -> String {
    let apple = options.settings.apple == nil ? "Web Push and UnifiedPush" : "Apple's service, Web Push and UnifiedPush"
    return """
      The push proxy listens on \(place(options, port)), for \(options.settings.server.base)
      Relays: \(relays(options).joined(separator: ", "))
      Registrations: \(options.storage.isShared ? "in the database at" : "in") \(service.place)
      Devices are woken by \(apple). Browsers subscribe with the key \(service.applicationServerKey)
      Its state: \(options.settings.server.base)/health. Ctrl+C ends it.
      """
  }

  private static func relays(_ options: PushOptions) -> [String] { options.settings.relays.map(\.text).sorted() }

  private static func place(_ options: PushOptions, _ port: UInt16) -> String {
    guard case .tcp(let host, _) = options.settings.listening.place else { return options.listen }
    return (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }
}
