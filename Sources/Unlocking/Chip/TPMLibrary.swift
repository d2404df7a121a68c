import CTPM

/// tpm2-tss, loaded at first use.
final class TPMLibrary: Sendable {
  private static let device = TPMLibrary(.usual)
  private static let software = TPMLibrary(.software(""))

  private let functions: holdfast_tpm

  /// - Returns: nil when it is not installed.
  static func library(for place: TPMPlace) -> TPMLibrary? {
    switch place {
    case .device: device
    case .software: software
    case .unreadable: nil
    }
  }

  private init?(_ place: TPMPlace) {
    var functions = holdfast_tpm()
    guard holdfast_tpm_load(&functions, place.connection.library, place.connection.function) == 1 else { return nil }
    self.functions = functions
  }

  /// - Returns: 0, or the code of the step that failed.
  func seal(_ configuration: String, _ secret: UnsafePointer<UInt8>, _ sealed: inout holdfast_tpm_sealed) -> UInt32 {
    withUnsafePointer(to: functions) { holdfast_tpm_seal($0, configuration, secret, &sealed) }
  }

  /// - Returns: 0, or the code of the step that failed.
  func unseal(_ configuration: String, _ sealed: inout holdfast_tpm_sealed, _ secret: UnsafeMutablePointer<UInt8>) -> UInt32 {
    withUnsafePointer(to: functions) { holdfast_tpm_unseal($0, configuration, &sealed, secret) }
  }
}
