import Encodings

/// How a TPM is reached.
enum TPMPlace: Equatable {
  /// A device of the kernel, by its path.
  case device(String)
  /// A software TPM, by its library's configuration (`path=/run/tpm` or `host=127.0.0.1,port=2321`).
  case software(String)
  /// Unknown, because its name cannot be read.
  case unreadable

  /// The kernel's device that lets several users share one TPM.
  static let usual = TPMPlace.device("/dev/tpmrm0")
  /// The longest text, in bytes.
  static let maximumLength = 128

  /// - Parameter text: `device:/dev/tpm…` or `swtpm:…`.
  /// - Returns: nil for anything else. No other library is loaded, whoever wrote the text.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy(Self.isPlain), let colon = text.firstIndex(of: ":") else {
      return nil
    }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "device" where rest.hasPrefix("/dev/tpm") && !rest.includes(".."): self = .device(rest)
    case "swtpm" where !rest.isEmpty: self = .software(rest)
    default: return nil
    }
  }

  /// The text for people.
  var text: String {
    switch self {
    case .device(let path): path
    case .software(let configuration): "swtpm:" + configuration
    case .unreadable: "a name that cannot be read"
    }
  }

  /// The configuration for its library.
  var configuration: String {
    switch self {
    case .device(let path): path
    case .software(let configuration): configuration
    case .unreadable: ""
    }
  }

  /// The file that exists if the TPM is there. Nil for one that is reached over the network.
  var path: String? {
    switch self {
    case .device(let path): path
    case .software(let configuration):
      configuration.split(separator: ",").first { $0.hasPrefix("path=") }.map { String($0.dropFirst(5)) }
    case .unreadable: nil
    }
  }

  /// The library that makes the connection, and its function.
  var connection: (library: String, function: String) {
    switch self {
    case .device, .unreadable: ("libtss2-tcti-device.so.0", "Tss2_Tcti_Device_Init")
    case .software: ("libtss2-tcti-swtpm.so.0", "Tss2_Tcti_Swtpm_Init")
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7f }
}
