import DaemonSupport
import OwnerAPI
import Testing

@testable import OwnerOperations
@testable import Signer

/// The contract names no operation that nobody does.
@Suite struct HandlerTests {
  @Test("Each operation of the contract has one typed handler, and no handler stands for anything else") func typedHandlers() {
    let names = OperationTable.all.map { $0.properties.name }
    let missing = names.filter { Operations.handlers[$0] == nil }
    let unknown = Set(Operations.handlers.keys).subtracting(names).sorted()
    #expect(missing.isEmpty, "without a handler: \(missing.joined(separator: " "))")
    #expect(unknown.isEmpty, "not in the contract: \(unknown.joined(separator: " "))")
  }

  @Test("Each operation of the contract has a handler") func handlers() throws {
    let signer = try Signer()
    for operation in OperationTable.all {
      let name = operation.properties.name
      let fault = failure { try signer.operations.perform(ControlRequest(name), via: .command) }
      #expect(fault != .noSuchOperation, "\(name)")
    }
    signer.close()
  }
}
