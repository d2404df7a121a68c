/// Holdfast's browser extension, as each browser names it.
package enum HoldfastExtension {
  /// Chromium's id: from the public key in `Web/extension/manifest.json`.
  package static let chromiumID = "dceegofnjohdgopdllmjiekcgeofkmob"
  /// Firefox's id: written in the same file.
  package static let firefoxID = "signer@holdfast.example"

  /// The extension that a browser starts this program for.
  /// - Parameter arguments: what the browser appends. Chromium: `chrome-extension://ID/`. Firefox: the path of the host's manifest, and the id.
  /// - Returns: the id. Nil for any other extension, and when no browser started this.
  package static func id(in arguments: [String]) -> String? {
    if arguments.first == "chrome-extension://\(chromiumID)/" { return chromiumID }
    return arguments.count >= 2 && arguments[1] == firefoxID ? firefoxID : nil
  }
}
