import Platform

/// The environment of a driver's process: the variables by which drivers find their settings, and nothing else. A signer's
/// environment may contain values that are not for a driver.
enum DriverEnvironment {
  /// Lists more variables that a driver needs, separated by commas.
  static let more = "HOLDFAST_TOKEN_ENVIRONMENT"

  private static let names: Set = [
    "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    "LD_LIBRARY_PATH",
  ]
  /// For SoftHSM, TPMs, smart cards, p11-kit, and drivers of manufacturers.
  private static let prefixes = [
    "LC_", "SOFTHSM2_", "TPM2_PKCS11_", "TSS2_", "OPENSC_", "PCSCLITE_", "P11_KIT_", "PKCS11_", "YKCS11_", "YUBIHSM_", "CKNFAST_",
  ]
  private static let fixed = ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]

  /// In the form that `execve` takes.
  static func variables() -> [String] {
    var all: [String] = []
    var next = environ
    while let text = next.pointee {
      all.append(String(cString: text))
      next += 1
    }
    return fixed + chosen(all)
  }

  static func chosen(_ all: [String]) -> [String] {
    let named =
      all.first { $0.hasPrefix(more + "=") }.map { $0.dropFirst(more.count + 1).split(separator: ",").map(String.init) } ?? []
    let wanted = names.union(named)
    return all.filter { variable in
      guard let name = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
      else {
        return false
      }
      return wanted.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
  }
}
