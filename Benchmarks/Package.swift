// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nothing here is built with the product.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "holdfast", path: "..")],
  targets: [
    .executableTarget(
      name: "EngineBench",
      dependencies: [
        .product(name: "RemoteSigning", package: "holdfast"),
        .product(name: "Nostr", package: "holdfast"),
        .product(name: "Curve", package: "holdfast"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "LogBench",
      dependencies: [
        .product(name: "AuditLog", package: "holdfast"),
        .product(name: "Curve", package: "holdfast"),
        .product(name: "SecretMemory", package: "holdfast"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ShareBench",
      dependencies: [
        .product(name: "Mnemonics", package: "holdfast"),
        .product(name: "SecretMemory", package: "holdfast"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ThresholdBench",
      dependencies: [
        .product(name: "Threshold", package: "holdfast"),
        .product(name: "Curve", package: "holdfast"),
        .product(name: "SecretMemory", package: "holdfast"),
        .product(name: "Encodings", package: "holdfast"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "VanityBench", dependencies: [.product(name: "VanitySearch", package: "holdfast")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
