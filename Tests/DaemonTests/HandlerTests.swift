import OwnerAPI
import Testing

@testable import OwnerOperations
@testable import Signer

/// The contract names no operation that nobody does.
@Suite struct HandlerTests {
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
