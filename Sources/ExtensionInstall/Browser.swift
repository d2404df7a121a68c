import BrowserHost
import JSON

/// A family of browsers, with its form of the file that names the host of native messages.
package enum Browser: String, CaseIterable, Sendable {
  case chromium, firefox

  /// The id of the extension.
  package var extensionID: String { self == .chromium ? HoldfastExtension.chromiumID : HoldfastExtension.firefoxID }

  /// The host's manifest: which program the browser starts, and for which extension.
  func manifest(program: String) -> [UInt8] {
    let allowed: JSONValue.Member =
      self == .chromium
      ? .init("allowed_origins", [.string("chrome-extension://\(HoldfastExtension.chromiumID)/")])
      : .init("allowed_extensions", [.string(HoldfastExtension.firefoxID)])
    return JSONValue.object([
      .init("name", .string(NativeMessaging.hostName)), .init("description", .string(Self.mark)), .init("path", .string(program)),
      .init("type", "stdio"), allowed,
    ]).serialized() + [UInt8(ascii: "\n")]
  }

  /// Says in a manifest who wrote it.
  private static let mark = "Holdfast's signer. Written by holdfast extension install."

  /// Whether a file is such a manifest, of any vault.
  static func isManifest(_ bytes: [UInt8]) -> Bool {
    guard let value = try? JSONValue(parsing: bytes) else { return false }
    return value["name"]?.string == NativeMessaging.hostName && value["description"]?.string == mark
  }

  /// Whether a path is where this browser looks for the manifest.
  func isManifestPath(_ path: String) -> Bool {
    path.hasSuffix((self == .chromium ? "/NativeMessagingHosts/" : "/native-messaging-hosts/") + NativeMessaging.manifestName)
  }

  /// The folders that take the manifest.
  /// - Parameters:
  ///   - profile: the browser's folder of user data; nil for those that are usual.
  ///   - environment: reads a variable.
  func manifestFolders(
    profile: String?, environment: (String) -> String?, exists: (String) -> Bool
  ) -> [String] {
    let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
    let settings = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
    switch self {
    case .chromium:
      if let profile { return [profile + "/NativeMessagingHosts"] }
      let others = ["google-chrome", "BraveSoftware/Brave-Browser", "vivaldi", "microsoft-edge"]
      let found = others.map { "\(settings)/\($0)" }.filter(exists)
      return (["\(settings)/chromium"] + found).map { $0 + "/NativeMessagingHosts" }
    case .firefox: return [home + "/.mozilla/native-messaging-hosts"]
    }
  }
}
