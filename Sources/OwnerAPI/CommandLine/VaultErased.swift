// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What `holdfast erase` removed.
public struct VaultErased: Fields {
  public var home = ""
  public var erased: Int64 = 0
  public var left: [String] = []
  public var linked: [String] = []
  public var unwritten: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("home", &home, "The folder of the vault.")
    try fields.integer("erased", &erased, "How many files were removed.")
    try fields.texts("left", &left, "The names of files in the folder that do not belong to the vault. They stay.")
    try fields.texts(
      "linked", &linked, "The names of removed files that have a second name somewhere, under which their contents stay.")
    try fields.texts("unwritten", &unwritten, "The names of other removed files that could not be overwritten before.")
  }
}
