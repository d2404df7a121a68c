// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// With `HOLDFAST_STRICT=1` a warning is an error everywhere but in tests: `make warnings`.
let strict = features + (Context.environment["HOLDFAST_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// For a program that is over in a few milliseconds, or that keeps little in memory: no name is exported, and the addresses that the loader
/// changes are packed (DT_RELR, which needs glibc 2.36).
let small =
  ["-use-ld=lld"]
  + ["--as-needed", "-z", "pack-relative-relocs", "--no-export-dynamic", "--icf=safe"].flatMap { ["-Xlinker", $0] }

/// Whether this is the fuzzer's build. It has a cheap stand-in for the curve (Sources/Curve/FuzzStandIn.swift), and therefore nothing
/// in it but the fuzzer's program and what that needs: `holdfast` cannot be built from it.
/// `HOLDFAST_FUZZING=sockets` is the other one: the whole package as always, and the server that Fuzz/sockets/run.sh sends packets to.
let isFuzzing = Context.environment["HOLDFAST_FUZZING"].map { $0 != "sockets" } ?? false

/// Modules that tell the fuzzer their branches, but not their comparisons, which costs a third of its time. It learns nothing from these in
/// modules that go over every byte, nor in the session, where comparisons are of times and keys that the target makes itself.
let tellingBranchesOnly: Set = [
  "Platform", "Encodings", "JSON", "SecretMemory", "Ciphers", "Curve", "RemoteSigning", "FuzzEntries",
]

/// What the fuzzer's build changes in a module.
func fuzzing(_ module: String) -> [SwiftSetting] {
  guard isFuzzing else { return [] }
  let branchesOnly: SwiftSetting = .unsafeFlags(["-sanitize-coverage=edge,indirect-calls,pc-table,inline-8bit-counters"])
  return (module == "Curve" ? [.define("HOLDFAST_FUZZING")] : [])
    + (tellingBranchesOnly.contains(module) ? [branchesOnly] : [])
}

func module(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict + fuzzing(name))
}

/// A module whose sources are in several folders.
func grouped(_ name: String, _ folders: [String], _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources", sources: folders, swiftSettings: strict + fuzzing(name))
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.init(stringLiteral: name), "TestVectors"] + dependencies,
    swiftSettings: features)
}

/// A program of Examples/, built with the package and run by ExamplesTests.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Examples/" + name, swiftSettings: strict)
}

func system(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// The fuzzers' own programs. FuzzRunner is only for `swift build --sanitize fuzzer`, as Fuzz/run.sh calls it, since libFuzzer brings
/// `main`; debug assertions stay on under optimisation: with them a pointer read outside its buffer traps. SocketServer is what
/// Fuzz/sockets/run.sh sends packets to.
let fuzzRunner: [Target] =
  switch Context.environment["HOLDFAST_FUZZING"] {
  case nil: []
  case "sockets":
    [
      .executableTarget(
        name: "SocketServer", dependencies: ["Console", "JSON", "LocalAccess", "OwnerAPI", "Platform", "Relays", "Sockets"],
        path: "Fuzz/Sources/SocketServer", swiftSettings: strict)
    ]
  default:
    [
      .executableTarget(
        name: "FuzzRunner", dependencies: ["Platform", "FuzzEntries", "CSodium"], path: "Fuzz/Sources/FuzzRunner",
        swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
    ]
  }

/// With HOLDFAST_MODULES=Vault,Nostr only those modules, their tests and what both need are part of the package: quick to build.
let namedModules = isFuzzing ? ["FuzzRunner"] : Context.environment["HOLDFAST_MODULES"]?.split(separator: ",").map(String.init)

func chosen(_ targets: [Target]) -> [Target] {
  guard let modules = namedModules else { return targets }
  var names = Set(modules + modules.map { $0 + "Tests" })
  while true {
    let needed = targets.filter { names.contains($0.name) }.flatMap(\.dependencies).map(name)
    guard !names.isSuperset(of: needed) else { return targets.filter { names.contains($0.name) } }
    names.formUnion(needed)
  }
}

func name(_ dependency: Target.Dependency) -> String {
  switch dependency {
  case .targetItem(let name, _), .byNameItem(let name, _), .productItem(let name, _, _, _): name
  @unknown default: ""
  }
}

let package = Package(
  name: "holdfast",
  products: namedModules != nil
    ? []
    : [
      .executable(name: "holdfast", targets: ["holdfast"]),
      .executable(name: "holdfast-push", targets: ["holdfast-push"]),
      .executable(name: "holdfast-wake", targets: ["holdfast-wake"]),
      .library(name: "Encodings", targets: ["Encodings"]),
      .library(name: "JSON", targets: ["JSON"]),
      .library(name: "SecretMemory", targets: ["SecretMemory"]),
      .library(name: "Ciphers", targets: ["Ciphers"]),
      .library(name: "Curve", targets: ["Curve"]),
      .library(name: "Threshold", targets: ["Threshold"]),
      .library(name: "Cosigning", targets: ["Cosigning"]),
      .library(name: "Mnemonics", targets: ["Mnemonics"]),
      .library(name: "Nostr", targets: ["Nostr"]),
      .library(name: "RemoteSigning", targets: ["RemoteSigning"]),
      .library(name: "AuditLog", targets: ["AuditLog"]),
      .library(name: "Vault", targets: ["Vault"]),
      .library(name: "Identities", targets: ["Identities"]),
      .library(name: "Unlocking", targets: ["Unlocking"]),
      .library(name: "VanitySearch", targets: ["VanitySearch"]),
      .library(name: "Sockets", targets: ["Sockets"]),
      .library(name: "Relays", targets: ["Relays"]),
      .library(name: "HoldfastClient", targets: ["HoldfastClient"]),
      .library(name: "SigningLinks", targets: ["SigningLinks"]),
      .library(name: "NotificationServiceCore", targets: ["NotificationServiceCore"]),
    ],
  targets: chosen(
    [
      system("CSodium", "libsodium", apt: "libsodium-dev", brew: "libsodium"),
      system("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
      system("CSecp256k1", "libsecp256k1", apt: "libsecp256k1-dev", brew: "secp256k1"),
      system("CSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
      system("CWebSockets", "libwebsockets", apt: "libwebsockets-dev", brew: "libwebsockets"),
      system("CQREncode", "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
      // No pkgConfig: its flags hold a -D that SwiftPM refuses. The module map links it.
      .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"]), .brew(["utf8proc"])]),
      .systemLibrary(name: "CLinux"),
      // No pkgConfig: only their headers are used, the libraries are loaded when they are needed.
      .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
      .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
      .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),

      .systemLibrary(name: "CToken", providers: [.apt(["libp11-kit-dev"]), .brew(["p11-kit"])]),
      .systemLibrary(name: "CKeyring", providers: [.apt(["libsecret-1-dev"]), .brew(["libsecret"])]),
      .systemLibrary(name: "CTPM", providers: [.apt(["libtss2-dev"]), .brew(["tpm2-tss"])]),
      .systemLibrary(name: "CPAM", providers: [.apt(["libpam0g-dev"])]),

      module("Platform", ["CLinux"]),
      module("Encodings", []),
      module("JSON", []),
      module("SecretMemory", ["CSodium", "CLinux", "Platform"]),
      module("Ciphers", ["Platform", "Encodings", "COpenSSL", "CSodium", "SecretMemory"]),
      module("Curve", ["Encodings", "CSecp256k1", "Ciphers", "SecretMemory"]),
      module("Threshold", ["Encodings", "Curve", "Ciphers", "SecretMemory", "CSodium"]),
      module("UnicodeNormalization", ["CUtf8proc", "SecretMemory"]),
      module(
        "Mnemonics", ["Platform", "Encodings", "UnicodeNormalization", "Curve", "Ciphers", "SecretMemory"],
        exclude: ["WordLists"]),
      module("Nostr", ["JSON", "Encodings", "Mnemonics", "UnicodeNormalization", "Curve", "Ciphers", "SecretMemory"]),
      module("Cosigning", ["JSON", "Encodings", "Nostr", "Threshold", "Curve", "Ciphers", "SecretMemory"]),
      module("RemoteSigning", ["Platform", "JSON", "Encodings", "Nostr", "Curve", "Ciphers", "SecretMemory"]),
      module("AuditLog", ["CLinux", "Encodings", "Platform", "Curve", "Ciphers", "SecretMemory"]),
      module(
        "Vault", ["JSON", "Encodings", "Platform", "CSQLite", "CLinux", "UnicodeNormalization", "Ciphers", "SecretMemory"]),
      module(
        "Identities",
        ["JSON", "Encodings", "Platform", "CLinux", "Vault", "Mnemonics", "Nostr", "Curve", "Ciphers", "SecretMemory"]),
      module(
        "Unlocking",
        ["Platform", "Encodings", "Vault", "Ciphers", "SecretMemory", "CLinux", "CToken", "CKeyring", "CTPM", "CPAM"]),
      module("SigningLinks", ["JSON", "Encodings", "Nostr", "Curve", "RemoteSigning"]),
      module("HoldfastClient", ["Platform", "JSON", "Encodings", "Nostr", "Curve", "CLinux"]),
      module("VanitySearch", ["Platform", "Encodings", "Nostr", "Curve", "SecretMemory"]),
      module("Sockets", ["Encodings", "Platform", "SecretMemory", "CWebSockets", "COpenSSL", "CLinux"]),
      module("RelayConversations", ["Encodings", "Platform", "Nostr", "Curve"]),
      module("Relays", ["RelayConversations", "JSON", "Encodings", "Platform", "Sockets", "Nostr", "Curve", "Ciphers"]),
      module("OwnerAPI", ["JSON", "Encodings", "SecretMemory"]),
      module("LocalAccess", ["OwnerAPI", "JSON", "Encodings", "Platform", "SecretMemory", "Sockets", "CLinux"]),
      // Web/console, compiled in.
      .target(name: "CConsoleFiles", exclude: ["generate.py"]),
      // Web/extension, compiled in.
      .target(name: "CExtensionFiles"),
      // In the program alone: a library does not choose its host's heap, and sanitizers bring their own.
      .target(name: "CWipingHeap"),
      module(
        "Console",
        ["JSON", "Encodings", "Platform", "LocalAccess", "OwnerAPI", "Sockets", "Ciphers", "SecretMemory", "CConsoleFiles"]),
      module("HTTPClient", ["Platform", "CCurl", "SecretMemory"]),
      module("ObjectStorage", ["Platform", "Encodings", "HTTPClient", "CLinux", "Ciphers", "SecretMemory"]),
      module("WebPush", ["JSON", "Encodings", "Platform", "HTTPClient", "Ciphers", "SecretMemory"]),
      module("APNs", ["JSON", "Encodings", "Platform", "HTTPClient", "Nostr", "Curve", "Ciphers", "SecretMemory"]),
      module(
        "PushProxy",
        [
          "APNs", "WebPush", "Relays", "HTTPClient", "Sockets", "JSON", "Encodings", "Platform", "Nostr", "Curve", "Ciphers",
          "SecretMemory", "CSQLite", "CPostgreSQL", "CLinux",
        ]),
      module(
        "Wake",
        [
          "Signer", "AuditLog", "Vault", "Identities", "Unlocking", "Relays", "RelayConversations", "Sockets", "RemoteSigning",
          "Nostr", "Encodings", "Platform", "Curve",
        ]),
      module(
        "WakeListening",
        ["WebPush", "Sockets", "JSON", "Encodings", "Platform", "Ciphers", "SecretMemory", "CLinux"]),
      module("Desktop", ["Platform", "CSystemd"]),
      module("QRCodes", ["Platform", "Encodings", "CQREncode"]),
      module("TerminalUI", ["Platform", "Encodings", "CUtf8proc", "Mnemonics", "SecretMemory", "CLinux"]),
      module("CommandLine", ["JSON", "Encodings", "TerminalUI", "Platform"]),
      module(
        "CredentialOptions",
        ["CommandLine", "TerminalUI", "OwnerAPI", "OwnerOperations", "Mnemonics", "SecretMemory", "Encodings", "Platform"]),
      module("SharePages", ["CommandLine", "TerminalUI", "OwnerAPI", "QRCodes", "SecretMemory", "Encodings", "Platform"]),
      module(
        "Signer",
        [
          "Platform", "Encodings", "JSON", "SecretMemory", "Ciphers", "Curve", "Nostr", "RemoteSigning", "AuditLog", "Vault",
          "Identities", "Unlocking", "Sockets", "Relays", "Desktop", "RequestPreview",
        ]),
      module(
        "LocalApps",
        [
          "CLinux", "SigningLinks", "Desktop",
          "Signer", "RemoteSigning", "Identities", "Sockets", "JSON", "Encodings", "Platform", "Curve", "Ciphers", "Nostr",
        ]),
      module("BrowserHost", ["CLinux", "LocalAccess", "OwnerAPI", "RemoteSigning", "JSON", "Platform"]),
      module("ExtensionInstall", ["BrowserHost", "CExtensionFiles", "Ciphers", "Encodings", "JSON", "Platform"]),
      module("RequestPreview", ["JSON", "Encodings", "Curve", "Nostr", "RemoteSigning"]),
      // Linked into an iPhone's extension: nothing here may need SQLite, libwebsockets, libcurl or the vault.
      module(
        "NotificationServiceCore",
        [
          "RequestPreview", "RelayConversations", "RemoteSigning", "Nostr", "JSON", "Encodings", "Platform", "Curve", "Ciphers",
          "SecretMemory",
        ]),
      module("EntrustedShares", ["Signer", "Vault", "JSON", "Encodings", "Curve", "Ciphers", "Identities"]),
      module(
        "Backups",
        [
          "EntrustedShares", "Signer", "RemoteSigning", "AuditLog", "Vault", "ObjectStorage", "JSON", "Encodings", "Platform",
          "Curve", "Ciphers", "SecretMemory", "Identities",
        ]),
      module(
        "Guardians",
        [
          "EntrustedShares", "Signer", "RemoteSigning", "AuditLog", "Vault", "Relays", "Sockets", "JSON", "Encodings", "Platform",
          "Mnemonics", "Nostr", "Curve", "Ciphers", "SecretMemory", "Identities",
        ]),
      module(
        "KeyRotation",
        [
          "Signer", "RemoteSigning", "AuditLog", "Vault", "Relays", "Sockets", "JSON", "Encodings", "Platform", "Nostr", "Curve",
          "Identities",
        ]),
      module(
        "Notifications",
        [
          "Signer", "RequestPreview", "RemoteSigning", "AuditLog", "Vault", "WebPush", "HTTPClient", "Desktop", "JSON",
          "Encodings", "Platform", "Curve", "Ciphers", "SecretMemory", "Identities",
        ]),
      module(
        "PushRegistration",
        [
          "Signer", "RemoteSigning", "AuditLog", "Vault", "WebPush", "APNs", "HTTPClient", "JSON", "Encodings", "Platform",
          "Nostr",
          "Curve", "Ciphers",
        ]),
      module(
        "Observability",
        [
          "OwnerAPI", "Signer", "RequestPreview", "RemoteSigning", "AuditLog", "Vault", "Relays", "Sockets", "JSON", "Encodings",
          "Platform",
          "Curve",
          "Identities", "Nostr",
        ]),
      module(
        "VaultRepair",
        [
          "EntrustedShares", "Signer", "RemoteSigning", "AuditLog", "Vault", "JSON", "Encodings", "Platform", "Curve",
          "Identities",
        ]),
      module(
        "OwnerWords",
        [
          "PushRegistration", "Backups", "Guardians", "Notifications", "VaultRepair", "EntrustedShares", "Signer", "OwnerAPI",
          "RemoteSigning",
          "AuditLog", "Unlocking", "Vault", "Relays", "Sockets", "ObjectStorage", "HTTPClient", "JSON", "Platform", "Mnemonics",
          "Nostr", "Identities", "Desktop", "KeyRotation", "Observability",
        ]),
      module(
        "OwnerOperations",
        [
          "PushRegistration", "OwnerWords", "Backups", "Guardians", "KeyRotation", "Notifications", "VaultRepair",
          "EntrustedShares", "Signer",
          "RequestPreview",
          "OwnerAPI", "RemoteSigning", "AuditLog", "Unlocking", "Vault", "Relays", "Sockets", "ObjectStorage", "WebPush",
          "HTTPClient", "Desktop", "QRCodes", "JSON", "Encodings", "Platform", "Mnemonics", "Nostr", "Curve", "Ciphers",
          "SecretMemory", "Identities", "Observability",
        ]),
      module(
        "Daemon",
        [
          "PushRegistration", "OwnerOperations", "OwnerWords", "Backups", "Guardians", "Notifications", "Observability", "Signer",
          "OwnerAPI",
          "Console", "LocalApps",
          "LocalAccess", "RemoteSigning", "AuditLog", "Unlocking", "Vault", "Relays", "Sockets", "WebPush", "JSON", "Platform",
          "Nostr", "Curve", "Ciphers", "SecretMemory", "CLinux", "Identities", "Desktop", "Encodings",
        ]),
      module(
        "Doctor",
        [
          "Daemon", "OwnerOperations", "OwnerWords", "Backups", "Observability", "Signer", "OwnerAPI", "LocalAccess",
          "RemoteSigning", "AuditLog", "Unlocking", "Vault", "Identities", "Relays", "Sockets", "JSON", "Encodings", "Platform",
          "Nostr",
          "Curve", "Ciphers", "SecretMemory", "CLinux",
        ]),
      module(
        "ResponseTexts", ["TerminalUI", "OwnerAPI", "JSON", "Encodings", "Platform", "AuditLog", "SharePages", "Nostr", "Curve"]),
      module(
        "HoldfastCommands",
        [
          "ResponseTexts", "HoldfastClient", "SigningLinks", "BrowserHost", "ExtensionInstall", "CommandLine",
          "CredentialOptions",
          "TerminalUI", "OwnerAPI", "LocalAccess", "Signer", "Daemon", "VanitySearch", "Desktop",
          "Curve", "Mnemonics",
          "QRCodes", "JSON", "Encodings", "Ciphers", "SecretMemory", "SharePages", "Platform", "Identities", "Backups", "Doctor",
          "OwnerOperations", "OwnerWords", "Vault", "Unlocking", "AuditLog", "RemoteSigning", "RequestPreview", "Nostr",
          "WakeListening",
          "Sockets",
        ]),
      .executableTarget(
        name: "holdfast",
        dependencies: ["HoldfastCommands", "CommandLine", "Unlocking", "SecretMemory", "Platform", "CWipingHeap"],
        swiftSettings: strict,
        // Addresses of C functions are looked up at the start and cannot be written any more.
        linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux]))]),
      .executableTarget(
        name: "holdfast-wake",
        dependencies: [
          "Wake", "Signer", "RemoteSigning", "Identities", "Unlocking", "Vault", "LocalAccess", "OwnerAPI", "Nostr",
          "CommandLine",
          "TerminalUI", "Sockets",
          "JSON", "Encodings",
          "Platform", "SecretMemory", "CWipingHeap",
        ],
        swiftSettings: strict,
        linkerSettings: [.unsafeFlags(small, .when(platforms: [.linux]))]),
      .executableTarget(
        name: "holdfast-push",
        dependencies: [
          "PushProxy", "Relays", "APNs", "WebPush", "CommandLine", "TerminalUI", "Sockets", "JSON", "Encodings", "Platform",
          "Ciphers",
          "SecretMemory",
        ],
        swiftSettings: strict,
        linkerSettings: [.unsafeFlags(small, .when(platforms: [.linux]))]),

      example("KeyStoreExample", ["Vault", "Ciphers", "SecretMemory"]),
      example("SecureStorageExample", ["Vault", "Identities", "Curve", "Ciphers", "SecretMemory"]),
      example("SessionStorageExample", ["Vault", "Ciphers", "SecretMemory"]),
      example("SessionManagerExample", ["Vault", "SecretMemory"]),
      example("LocalSigningExample", ["HoldfastClient", "Nostr"]),
      example("LinkHostExample", ["SigningLinks", "RemoteSigning", "Nostr", "Curve"]),
      example("NotificationServiceExample", ["NotificationServiceCore", "RemoteSigning", "Nostr", "Curve", "SecretMemory"]),
      example("HardwareKeysExample", ["Unlocking", "Vault", "Ciphers", "Encodings", "SecretMemory"]),
      .testTarget(
        name: "ExamplesTests",
        dependencies: [
          "KeyStoreExample", "SecureStorageExample", "SessionStorageExample", "SessionManagerExample", "HardwareKeysExample",
          "LinkHostExample", "NotificationServiceExample",
        ],
        swiftSettings: features),

      .target(name: "TestVectors", path: "Tests/TestVectors", swiftSettings: strict),
      .testTarget(name: "TestVectorsTests", dependencies: ["TestVectors"], swiftSettings: features),
      .target(
        name: "TestSupport", dependencies: ["Platform", "Encodings", "SecretMemory"], path: "Tests/TestSupport",
        swiftSettings: strict),
      // Holds a canary and crashes; a test looks at what it left.
      .executableTarget(
        name: "CrashDummy", dependencies: ["Platform", "SecretMemory", "TestSupport"], path: "Tests/CrashDummy",
        swiftSettings: strict),
      // Has the program's heap; a test looks at what it leaves. No test depends on it: that would bring the heap into the tests.
      .executableTarget(name: "HeapDummy", dependencies: ["CWipingHeap"], path: "Tests/HeapDummy"),
      // What the fuzzer feeds: an ordinary target, so that its inputs are replayed by FuzzReplayTests without the fuzzer.
      .target(
        name: "FuzzEntries",
        dependencies: [
          "Platform",
          "BrowserHost", "JSON", "Encodings", "Console", "AuditLog", "Guardians", "LocalAccess", "LocalApps", "SigningLinks",
          "OwnerAPI",
          "WebPush", "RemoteSigning", "NotificationServiceCore",
          "RequestPreview", "Sockets",
          "ObjectStorage",
          "Unlocking", "Vault", "Identities",
          "Nostr",
          "Threshold", "Cosigning",
          "Mnemonics",
          "UnicodeNormalization",
          "Curve",
          "Ciphers",
          "SecretMemory",
        ],
        path: "Fuzz/Sources/FuzzEntries", swiftSettings: strict + fuzzing("FuzzEntries")),
      .testTarget(name: "FuzzReplayTests", dependencies: ["FuzzEntries"], swiftSettings: features),
      tests("Encodings", ["TestSupport"]),
      tests("JSON", ["TestSupport"]),
      tests("SecretMemory", ["TestSupport", "CrashDummy"]),
      tests("Ciphers", ["COpenSSL", "Encodings", "SecretMemory", "TestSupport"]),
      tests("Curve", ["Encodings", "Ciphers", "SecretMemory", "TestSupport"]),
      tests("Threshold", ["Encodings", "Curve", "SecretMemory", "TestSupport"]),
      tests("Cosigning", ["JSON", "Encodings", "Nostr", "Threshold", "Curve", "SecretMemory", "TestSupport"]),
      tests("UnicodeNormalization", ["Encodings", "SecretMemory", "TestSupport"]),
      tests("Mnemonics", ["Encodings", "Curve", "Ciphers", "SecretMemory", "TestSupport", "UnicodeNormalization"]),
      tests("Nostr", ["TestSupport", "JSON", "Encodings", "Mnemonics", "Curve", "Ciphers", "SecretMemory"]),
      tests("RemoteSigning", ["Platform", "TestSupport", "JSON", "Encodings", "Nostr", "Curve", "Ciphers", "SecretMemory"]),
      tests("AuditLog", ["FaultWriter", "TestSupport", "Encodings", "Platform", "Curve", "Ciphers", "SecretMemory"]),
      .executableTarget(
        name: "FaultWriter", dependencies: ["Platform", "AuditLog", "Vault", "Ciphers", "SecretMemory"],
        path: "Tests/FaultWriter",
        // SQLite's calls for the disk are to be ours.
        swiftSettings: strict, linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
      tests(
        "Vault",
        ["FaultWriter", "TestSupport", "Platform", "JSON", "Encodings", "Ciphers", "SecretMemory"]),
      tests(
        "Identities",
        ["TestSupport", "Platform", "JSON", "Encodings", "Vault", "Mnemonics", "Nostr", "Curve", "Ciphers", "SecretMemory"]),
      // Asks PAM; a test puts its own PAM in front of it.
      .executableTarget(
        name: "PAMAsker", dependencies: ["Platform", "Unlocking", "SecretMemory"], path: "Tests/PAMAsker", swiftSettings: strict
      ),
      // Runs a token's driver, as `holdfast` does for itself.
      .executableTarget(name: "DriverHost", dependencies: ["Unlocking"], path: "Tests/DriverHost", swiftSettings: strict),
      tests(
        "Unlocking",
        ["DriverHost", "PAMAsker", "CPAM", "CToken", "TestSupport", "Encodings", "Platform", "Vault", "Ciphers", "SecretMemory"]),
      tests("VanitySearch", ["TestSupport", "Encodings", "Nostr", "Curve", "SecretMemory"]),
      tests("Sockets", ["Platform"]),
      tests("Relays", ["Platform", "JSON", "Encodings", "Sockets", "Nostr", "Curve", "Ciphers", "SecretMemory"]),
      tests("OwnerAPI", ["JSON", "SecretMemory"]),
      tests("LocalAccess", ["OwnerAPI", "JSON", "Encodings", "SecretMemory", "Sockets"]),
      tests(
        "Console",
        ["CConsoleFiles", "JSON", "Encodings", "Platform", "LocalAccess", "OwnerAPI", "Sockets", "Ciphers", "SecretMemory"]),
      tests("ObjectStorage", ["TestSupport", "Encodings", "Ciphers", "SecretMemory"]),
      tests("WebPush", ["TestSupport", "HTTPClient", "JSON", "Encodings", "Platform", "Ciphers", "SecretMemory"]),
      tests("Wake", ["JSON", "Encodings", "Nostr", "RemoteSigning", "Curve", "Sockets"]),
      // One wake of an iPhone's extension, with as much as it may have to carry; a test looks at what it used.
      .executableTarget(
        name: "ExtensionDummy",
        dependencies: [
          "NotificationServiceSupport", "NotificationServiceCore", "RemoteSigning", "Nostr", "Platform", "Curve", "SecretMemory",
        ],
        path: "Tests/ExtensionDummy", swiftSettings: strict),
      // An extension's folder, an app that asks, and a relay in memory.
      .target(
        name: "NotificationServiceSupport",
        dependencies: [
          "NotificationServiceCore", "RemoteSigning", "Nostr", "JSON", "Encodings", "Platform", "Curve", "SecretMemory",
        ],
        path: "Tests/NotificationServiceSupport", swiftSettings: strict),
      tests(
        "NotificationServiceCore",
        [
          "ExtensionDummy", "NotificationServiceSupport", "TestSupport", "RemoteSigning", "Nostr", "JSON", "Encodings",
          "Platform",
          "Curve", "Ciphers", "SecretMemory",
        ]),
      tests("WakeListening", ["TestSupport", "WebPush", "Sockets", "JSON", "Encodings", "Platform", "Ciphers", "SecretMemory"]),
      tests("APNs", ["TestSupport", "HTTPClient", "JSON", "Encodings", "Nostr", "Curve", "Ciphers", "SecretMemory"]),
      tests(
        "PushProxy",
        [
          "TestSupport", "APNs", "WebPush", "Relays", "HTTPClient", "Sockets", "JSON", "Encodings", "Platform", "Nostr", "Curve",
          "Ciphers",
          "SecretMemory",
        ]),
      tests("Desktop", ["TestSupport"]),
      tests("TerminalUI", ["TestSupport", "Mnemonics", "SecretMemory", "QRCodes"]),
      tests("CommandLine"),
      tests(
        "HoldfastCommands",
        [
          "ResponseTexts", "TestSupport", "CommandLine", "CredentialOptions", "TerminalUI", "OwnerAPI", "JSON", "Mnemonics",
          "SecretMemory",
          "QRCodes",
        ]),
      tests("SharePages", ["TestSupport", "OwnerAPI", "SecretMemory", "QRCodes"]),
      // What the tests of the modules below share: a signer on a home of its own, an app, and relays that are a list.
      .target(
        name: "DaemonSupport",
        dependencies: [
          "TestSupport", "Platform", "Encodings", "JSON", "SecretMemory", "Ciphers", "Curve", "Nostr", "RemoteSigning",
          "AuditLog", "Vault", "Identities", "OwnerAPI", "Signer", "RequestPreview", "Guardians", "KeyRotation", "Notifications",
          "OwnerOperations",
        ],
        path: "Tests/DaemonSupport", swiftSettings: strict),
      tests(
        "Signer",
        [
          "DaemonSupport", "TestSupport", "Platform", "Encodings", "JSON", "SecretMemory", "Ciphers", "Curve", "Nostr",
          "RemoteSigning", "AuditLog", "Vault", "Identities", "OwnerAPI", "Desktop", "Backups", "VaultRepair", "OwnerOperations",
          "Doctor", "Sockets",
        ]),
      tests(
        "RequestPreview", ["DaemonSupport", "TestSupport", "Encodings", "JSON", "Curve", "Nostr", "RemoteSigning", "Signer"]),
      tests("EntrustedShares", ["Encodings", "Curve"]),
      tests(
        "Backups",
        [
          "DaemonSupport", "Platform", "Encodings", "JSON", "SecretMemory", "Ciphers", "Curve", "RemoteSigning", "AuditLog",
          "Vault", "OwnerAPI", "ObjectStorage", "Signer", "EntrustedShares", "Notifications", "PushRegistration",
          "OwnerOperations", "Doctor",
        ]),
      tests(
        "Guardians",
        [
          "DaemonSupport", "TestSupport", "Platform", "Encodings", "JSON", "SecretMemory", "Ciphers", "Curve", "Mnemonics",
          "Nostr", "AuditLog", "Vault", "Identities", "Sockets", "OwnerAPI", "Signer", "EntrustedShares", "Backups",
          "VaultRepair", "OwnerOperations",
        ]),
      tests(
        "KeyRotation",
        [
          "DaemonSupport", "TestSupport", "Platform", "Encodings", "JSON", "Curve", "Nostr", "RemoteSigning", "Vault",
          "Identities", "Sockets", "OwnerAPI", "Signer", "OwnerOperations",
        ]),
      tests(
        "Notifications",
        [
          "DaemonSupport", "Platform", "JSON", "Curve", "RemoteSigning", "AuditLog", "OwnerAPI", "Desktop", "Signer",
          "OwnerOperations",
        ]),
      tests(
        "PushRegistration",
        [
          "DaemonSupport", "TestSupport", "Platform", "JSON", "Encodings", "Curve", "Nostr", "RemoteSigning", "AuditLog", "Vault",
          "WebPush", "HTTPClient", "Sockets", "OwnerAPI", "Signer", "OwnerOperations",
        ]),
      tests(
        "Observability",
        [
          "DaemonSupport", "TestSupport", "Platform", "JSON", "Curve", "RemoteSigning", "AuditLog", "Vault", "Identities",
          "Sockets", "Relays",
          "Signer",
        ]),
      tests(
        "VaultRepair",
        [
          "DaemonSupport", "TestSupport", "Platform", "Encodings", "JSON", "SecretMemory", "Curve", "Nostr", "RemoteSigning",
          "AuditLog", "Vault", "Identities", "OwnerAPI", "Signer", "OwnerOperations", "Doctor",
        ]),
      tests(
        "OwnerOperations",
        [
          "DaemonSupport", "TestSupport", "Platform", "Encodings", "JSON", "SecretMemory", "Ciphers", "Curve", "Mnemonics",
          "Nostr", "RemoteSigning", "AuditLog", "Vault", "Identities", "Relays", "OwnerAPI", "Desktop", "Signer", "Backups",
          "KeyRotation", "Observability", "VaultRepair", "Doctor",
        ]),
      tests("SigningLinks", ["JSON", "Encodings", "Nostr", "Curve", "RemoteSigning"]),
      tests("BrowserHost", ["JSON"]),
      tests("ExtensionInstall", ["BrowserHost", "Ciphers", "Encodings", "JSON"]),
      tests("HoldfastClient", ["JSON", "Encodings", "Nostr", "Curve", "Platform", "Sockets"]),
      tests(
        "LocalApps",
        ["DaemonSupport", "AuditLog", "Curve", "Platform", "JSON", "Encodings", "RemoteSigning", "Signer", "Identities"]),
      tests("Daemon", ["DaemonSupport", "Platform", "JSON", "SecretMemory", "Curve", "RemoteSigning", "OwnerAPI", "Signer"]),
      tests(
        "Doctor",
        [
          "DaemonSupport", "Platform", "JSON", "SecretMemory", "Curve", "Nostr", "Vault", "Sockets", "Relays", "OwnerAPI",
          "Signer", "OwnerOperations",
        ]),
    ] + fuzzRunner),
  swiftLanguageModes: [.v6]
)
