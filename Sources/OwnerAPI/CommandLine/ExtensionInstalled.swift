// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What `holdfast extension install` wrote.
public struct ExtensionInstalled: Fields {
  public var browser = ""
  public var place = ""
  public var extensionID = ""
  public var manifests: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("browser", &browser, "The browser: “chromium” or “firefox”.")
    try fields.anyText("extension", &place, "Where the extension is: a folder for Chromium, an .xpi file for Firefox.")
    try fields.anyText("id", &extensionID, "The extension's id in that browser.")
    try fields.texts("manifests", &manifests, "The files that tell browsers which program answers the extension.")
  }
}

/// What `holdfast extension uninstall` left.
public struct ExtensionRemoved: Fields {
  public var browser = ""
  public var left: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("browser", &browser, "The browser: “chromium” or “firefox”.")
    try fields.texts("left", &left, "The files that stay, because somebody changed them.")
  }
}
