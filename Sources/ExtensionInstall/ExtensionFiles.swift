import CExtensionFiles

/// The files of the browser's extension, as they were compiled in.
package enum ExtensionFiles {
  /// Each file's path below the extension's folder, and its bytes.
  package static var all: [(path: String, bytes: [UInt8])] {
    (0..<holdfast_extension_file_count).map { index in
      let file = holdfast_extension_file_at(index).pointee
      return (String(cString: file.path), Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }
  }

  /// The same, with the manifest made for one family of browsers.
  static func all(for browser: Browser) -> [(path: String, bytes: [UInt8])] {
    all.map { path, bytes in
      (path, path == ExtensionManifest.name ? ExtensionManifest.bytes(bytes, for: browser) : bytes)
    }
  }
}
