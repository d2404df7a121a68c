import JSON
import OwnerAPI
import Testing

/// Compares what is asked and answered with the contract of OwnerAPI. Each operation that a test asks for and gets goes through it.
enum Contract {
  static func check(_ request: ControlRequest, _ result: ControlResult) {
    guard let operation = OperationTable.all.first(where: { $0.properties.name == request.operation }) else {
      Issue.record("\(request.operation) is not in the contract")
      return
    }
    check(operation, request, result)
  }

  private static func check<Operation: OwnerOperation>(
    _ operation: Operation.Type, _ request: ControlRequest, _ result: ControlResult
  ) {
    let name = request.operation
    do throws(FieldError) {
      let asked = Operation.call(try Operation.request(from: request))
      for member in request.parameters.members ?? [] where !member.value.isNull {
        let written = asked.parameters[member.key]
        #expect(written.map { differences($0, member.value, "") } == [], "\(name) is asked with \(member.key)")
      }
      #expect(Set(asked.secrets.keys) == Set(request.secrets.keys), "\(name): secrets of the request")
      let answer = Operation.result(try Operation.response(from: result))
      let found = differences(withoutMark(result.json), answer.json, "")
      #expect(found.isEmpty, "\(name) answers: \(found.joined(separator: ", "))")
      #expect(answer.secrets == result.secrets, "\(name): secrets of the answer")
    } catch { Issue.record("\(name) cannot be read: \(error)") }
  }

  /// What a damaged vault adds to each answer is said apart from the contract.
  private static func withoutMark(_ answer: JSONValue) -> JSONValue {
    .object((answer.members ?? []).filter { $0.key != "vault_damaged" })
  }

  /// The paths at which two values differ; the order of members does not matter.
  private static func differences(_ said: JSONValue, _ written: JSONValue, _ path: String) -> [String] {
    if let ours = said.members, let theirs = written.members {
      let names = Set(ours.map(\.key)).union(theirs.map(\.key)).sorted()
      return names.flatMap { name -> [String] in
        guard let a = said[name], let b = written[name] else {
          return ["\(path)/\(name) is \(said[name] == nil ? "in the contract only" : "not in the contract")"]
        }
        return differences(a, b, "\(path)/\(name)")
      }
    }
    if let ours = said.array, let theirs = written.array, ours.count == theirs.count {
      return ours.indices.flatMap { differences(ours[$0], theirs[$0], "\(path)/\($0)") }
    }
    return said == written ? [] : ["\(path): \(text(said)) is \(text(written)) in the contract"]
  }

  private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized().prefix(80), as: UTF8.self) }
}
