import JSON
import OwnerAPI
import Testing

/// The contract as documents.
@Suite struct APIDocumentTests {
  @Test("The JSON document lists each operation with the types of its members") func json() throws {
    let document = APIDocument.json
    #expect(document["version"] == 1)
    let trust = try #require(document["operations"]?["client/trust"])
    #expect(trust["access"] == "recent-sign-in" && trust["proof"] == "none" && trust["home"] == "either")
    #expect(trust["read_only"] == false && trust["activity"] == true)
    let word = try #require(trust["request"]?.array?.first { $0["name"] == "trust" })
    #expect(word["type"] == "word" && word["words"] == ["full", "medium", "low"] && word["optional"] == false)
    #expect(document["operations"]?.members?.count == OperationTable.all.count)
  }

  @Test("The Markdown document lists each operation once under its noun, and then each shared part once") func markdown() {
    let lines = APIDocument.markdown.split(separator: "\n")
    for operation in OperationTable.all {
      #expect(lines.count { $0 == "### `\(operation.properties.name)`" } == 1, "\(operation.properties.name)")
    }
    #expect(lines.contains("## client") && lines.contains("## The signer"))
    #expect(lines.contains { $0.hasPrefix("| `clients` | list of [AppSummary](#appsummary)") })
    #expect(lines.count { $0 == "### AppSummary" } == 1)
  }

  @Test("Secret members are marked as secret") func secrets() throws {
    let export = try #require(APIDocument.json["operations"]?["identity/export"])
    #expect(export["response"]?.array?.contains { $0["type"] == "secret" } == true)
  }
}
