import OwnerAPI
import Testing

/// What must hold for each operation of the contract.
@Suite struct OperationTableTests {
  private static let all = OperationTable.all.map { $0.properties }

  @Test("Each operation has a unique name of one or two lower-case words") func names() {
    #expect(Set(Self.all.map(\.name)).count == Self.all.count && Self.all.count > 100)
    for name in Self.all.map(\.name) {
      let words = name.split(separator: "/", omittingEmptySubsequences: false)
      #expect((1...2).contains(words.count), "\(name)")
      #expect(words.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLowercase || $0 == "-" } }, "\(name)")
    }
  }

  @Test("An operation is found by its exact name only") func lookUp() {
    for properties in Self.all { #expect(OperationTable.properties(of: properties.name) == properties) }
    for name in ["", "client", "client/", "client/list/all", "Client/List"] {
      #expect(OperationTable.properties(of: name) == nil)
    }
  }

  @Test("Read-only operations work on a damaged vault and do not extend the session") func readOnly() {
    for properties in Self.all where properties.isReadOnly {
      #expect(!properties.isActivity && properties.isForDamagedVault, "\(properties.name)")
    }
  }

  @Test("Each operation and each member has a description, and member names are unique")
  func explanations() {
    for operation in OperationTable.all { Self.check(operation) }
  }

  private static func check<Operation: OwnerOperation>(_ operation: Operation.Type) {
    let name = operation.properties.name
    #expect(isSentence(operation.properties.about), "\(name): \(operation.properties.about)")
    check(FieldVisitor.describe(Operation.Request.self), name)
    check(FieldVisitor.describe(Operation.Response.self), name)
  }

  private static func check(_ fields: [FieldDescription], _ path: String) {
    for field in fields {
      // Some come in two forms: a number or a list, a text or a secret.
      let others = fields.filter { $0.name == field.name && $0 != field }
      #expect(others.count <= 1 && others.allSatisfy { $0.kind != field.kind }, "\(path): \(field.name)")
      #expect(fields.count { $0 == field } == 1, "\(path): \(field.name)")
      let path = path + " " + field.name
      #expect(isSentence(field.about), "\(path): \(field.about)")
      #expect(field.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" || $0 == "-" }, "\(path)")
      switch field.kind {
      case .object(let part), .array(let part): check(part.members, path)
      case .word(let words), .words(let words): #expect(Set(words).count == words.count && !words.isEmpty, "\(path)")
      case .text, .integer, .flag, .texts, .integers, .json, .secret, .secrets: break
      }
    }
  }

  /// In one line, without what a table of Markdown would take for the end of a cell.
  private static func isSentence(_ text: String) -> Bool {
    guard let first = text.first, first.isUppercase || first.isNumber else { return false }
    return text.last == "." && text.count > 5 && !text.contains { $0 == "|" || $0.isNewline }
  }
}
