public import JSON

/// The contract as documents: for people in Markdown (docs/API.md), for programs in JSON (`holdfast api --json`).
public enum APIDocument {
  /// The contract's version. It increases when the meaning of a member or an operation changes, or one is removed. Additions
  /// leave it unchanged.
  public static let version: Int64 = 1

  /// Every operation in the order of the table, grouped by noun, then the parts that they share.
  public static var markdown: String {
    var text = introduction
    for noun in nouns {
      text += "\n## \(noun)\n"
      for operation in OperationTable.all where self.noun(of: operation) == noun { text += section(operation) }
    }
    text += "\n## Parts\n"
    for part in parts { text += "\n### \(part.name)\n" + table("Member", part.members) }
    return text
  }

  /// An object: the version, each operation by its name, and each part by its own.
  public static var json: JSONValue {
    let operations = OperationTable.all.map { JSONValue.Member($0.properties.name, described($0)) }
    let parts = parts.map { JSONValue.Member($0.name, described($0.members)) }
    return ["version": .integer(version), "operations": .object(operations), "parts": .object(parts)]
  }

  private static let introduction = """
    # Every operation of the owner

    This is the contract between Holdfast and its owner's programs. The command line's `--json`, the console's HTTP interface and the
    control socket all use it. `holdfast api --json` prints it for programs. Version \(version).

    - **On the control socket** a request is `POST /v1/OPERATION` with the members as a JSON object ([the socket](FORMATS.md)). The
      response is a JSON object. Only the socket's owner can connect.
    - **In the console** a request is `POST /api/v1/OPERATION` with the same members, from a signed-in browser. Some operations need a
      recent sign-in; some are not available there.
    - **A secret** is not a member of the JSON. It is sent separately, so that it can be wiped. The tables list it by its name.
    - **Optional** members of a request may be left out. Those of a response are `null` when there is no value.
    - Later versions may add members and values. A program should ignore those that it does not know.

    This file is written by `make docs`.

    """

  // MARK: Markdown

  private static func section<Operation: OwnerOperation>(_ operation: Operation.Type) -> String {
    let properties = operation.properties
    var text = "\n### `\(properties.name)`\n\n\(properties.about)\n\n"
    text += conditions(of: properties).joined(separator: " ") + "\n"
    text += table("Request", FieldVisitor.describe(Operation.Request.self))
    text += table("Response", FieldVisitor.describe(Operation.Response.self))
    return text
  }

  /// Sentences that say who may call it, with what, and when.
  static func conditions(of properties: OperationProperties) -> [String] {
    var sentences: [String] = []
    switch properties.access {
    case .session: break
    case .recentSignIn: sentences.append("A browser needs a recent sign-in.")
    case .controlSocket: sentences.append("Not available in a browser.")
    }
    switch properties.proof {
    case .none: break
    case .sometimes: sentences.append("It may require the owner's proof, depending on the identity's class or the parameters.")
    case .always: sentences.append("It requires the owner's proof.")
    }
    switch properties.home {
    case .either: break
    case .running: sentences.append("It requires a running signer.")
    case .stopped: sentences.append("It is possible only while no signer runs.")
    }
    if properties.needsUnlocked { sentences.append("A locked signer refuses it.") }
    sentences.append(properties.isReadOnly ? "It changes nothing." : "It makes a change.")
    return sentences
  }

  private static func table(_ title: String, _ fields: [FieldDescription]) -> String {
    guard !fields.isEmpty else { return "\n\(title): no members.\n" }
    var text = "\n| \(title) | | |\n|---|---|---|\n"
    var included: String?
    for field in fields {
      if let part = field.included, part == included { continue }
      included = field.included
      text += included.map { "| the members of \(link($0)) | | |\n" } ?? row(field)
    }
    return text
  }

  private static func row(_ field: FieldDescription) -> String {
    "| `\(field.name)` | \(kind(field)) | \(field.about) |\n"
  }

  /// A link to the section of a type.
  private static func link(_ name: String) -> String {
    "[\(name)](#\(name.lowercased().filter { $0 != "." }))"
  }

  private static func kind(_ field: FieldDescription) -> String {
    let kind =
      switch field.kind {
      case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
      case .words(let words): "list of " + words.map { "`\($0)`" }.joined(separator: ", ")
      case .object(let part): link(part.name)
      case .array(let part): "list of " + link(part.name)
      case .text, .integer, .flag, .texts, .integers, .json, .secret, .secrets: name(of: field.kind)
      }
    return field.isOptional ? kind + "; optional" : kind
  }

  // MARK: JSON

  private static func described<Operation: OwnerOperation>(_ operation: Operation.Type) -> JSONValue {
    let properties = operation.properties
    return [
      "about": .string(properties.about), "access": .string(properties.access.rawValue),
      "proof": .string(properties.proof.rawValue), "home": .string(properties.home.rawValue),
      "needs_unlocked": .bool(properties.needsUnlocked), "read_only": .bool(properties.isReadOnly),
      "activity": .bool(properties.isActivity),
      "request": described(FieldVisitor.describe(Operation.Request.self)),
      "response": described(FieldVisitor.describe(Operation.Response.self)),
    ]
  }

  private static func described(_ fields: [FieldDescription]) -> JSONValue {
    .array(
      fields.map { field in
        var members: [JSONValue.Member] = [
          .init("name", .string(field.name)), .init("type", .string(name(of: field.kind))),
          .init("optional", .bool(field.isOptional)), .init("about", .string(field.about)),
        ]
        switch field.kind {
        case .word(let words), .words(let words): members.append(.init("words", .array(words.map { .string($0) })))
        case .object(let part), .array(let part): members.append(.init("of", .string(part.name)))
        case .text, .integer, .flag, .texts, .integers, .json, .secret, .secrets: break
        }
        return .object(members)
      })
  }

  private static func name(of kind: FieldDescription.Kind) -> String {
    switch kind {
    case .text: "text"
    case .integer: "integer"
    case .flag: "true or false"
    case .texts, .words: "list of texts"
    case .integers: "list of integers"
    case .word: "word"
    case .object: "object"
    case .array: "list of objects"
    case .json: "any JSON"
    case .secret: "secret"
    case .secrets: "list of secrets"
    }
  }

  // MARK: parts

  /// The parts that operations and other parts contain or include, sorted by name.
  private static var parts: [PartDescription] {
    var found: [String: PartDescription] = [:]
    for operation in OperationTable.all { gather(operation, &found) }
    return found.values.sorted { $0.name < $1.name }
  }

  private static func gather<Operation: OwnerOperation>(_ operation: Operation.Type, _ found: inout [String: PartDescription]) {
    for fields in [FieldVisitor.describe(Operation.Request.self), FieldVisitor.describe(Operation.Response.self)] {
      gather(fields, &found)
    }
  }

  private static func gather(_ fields: [FieldDescription], _ found: inout [String: PartDescription]) {
    for field in fields {
      if let name = field.included, found[name] == nil {
        let members = fields.filter { $0.included == name }
        found[name] = PartDescription(
          name: name,
          members: members.map {
            FieldDescription(name: $0.name, kind: $0.kind, isOptional: $0.isOptional, about: $0.about)
          })
      }
      if case .object(let part) = field.kind { gather(part, &found) }
      if case .array(let part) = field.kind { gather(part, &found) }
    }
  }

  private static func gather(_ part: PartDescription, _ found: inout [String: PartDescription]) {
    found[part.name] = part
    gather(part.members, &found)
  }

  // MARK: nouns

  /// In the order of the table.
  private static var nouns: [String] {
    OperationTable.all.reduce(into: []) { nouns, operation in
      let noun = noun(of: operation)
      if !nouns.contains(noun) { nouns.append(noun) }
    }
  }

  /// `client` of `client/trust`. Verbs without a noun form one group.
  private static func noun(of operation: any OwnerOperation.Type) -> String {
    let parts = operation.properties.name.split(separator: "/")
    return parts.count == 2 ? String(parts[0]) : "The signer"
  }
}
