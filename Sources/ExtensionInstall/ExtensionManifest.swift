import JSON

/// The extension's manifest for one family of browsers. The one that is compiled in has what both want, and each warns its user of what is
/// for the other.
enum ExtensionManifest {
  static let name = "manifest.json"

  /// - Parameter all: the manifest for both, a JSON object.
  static func bytes(_ all: [UInt8], for browser: Browser) -> [UInt8] {
    guard let manifest = try? JSONValue(parsing: all) else { return all }
    let own = manifest.without(browser.unknownKeys) { $0 == "background" ? browser.unknownBackgroundKeys : [] }
    return own.serialized() + [UInt8(ascii: "\n")]
  }
}

extension Browser {
  fileprivate var unknownKeys: Set<String> {
    self == .chromium ? ["browser_specific_settings"] : ["key", "minimum_chrome_version"]
  }

  fileprivate var unknownBackgroundKeys: Set<String> { self == .chromium ? ["scripts"] : ["service_worker"] }
}

extension JSONValue {
  /// - Parameter inside: the keys to leave out of the member of a name.
  fileprivate func without(_ keys: Set<String>, _ inside: (String) -> Set<String> = { _ in [] }) -> JSONValue {
    guard let members else { return self }
    return .object(
      members.filter { !keys.contains($0.key) }.map { member in
        Member(member.key, member.value.without(inside(member.key)))
      })
  }
}
