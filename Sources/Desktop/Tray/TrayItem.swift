/// The item in the panel (StatusNotifierItem, as KDE's and freedesktop.org's notes describe it).
enum TrayItem {
  static let path = "/StatusNotifierItem"
  static let name = "org.kde.StatusNotifierItem"

  static let interface = BusInterface(
    name,
    methods: [
      .init("ContextMenu", takes: [("x", "i"), ("y", "i")]), .init("Activate", takes: [("x", "i"), ("y", "i")]),
      .init("SecondaryActivate", takes: [("x", "i"), ("y", "i")]),
      .init("Scroll", takes: [("delta", "i"), ("orientation", "s")]),
    ],
    properties: [
      ("Category", "s"), ("Id", "s"), ("Title", "s"), ("Status", "s"), ("WindowId", "i"), ("IconName", "s"),
      ("IconPixmap", icons),
      ("OverlayIconName", "s"), ("AttentionIconName", "s"), ("AttentionIconPixmap", icons), ("ToolTip", "(s\(icons)ss)"),
      ("ItemIsMenu", "b"), ("Menu", "o"),
    ],
    signals: [
      .init("NewTitle"), .init("NewIcon"), .init("NewAttentionIcon"), .init("NewToolTip"), .init("NewStatus", [("status", "s")]),
    ])

  private static let icons = "a(iiay)"

  static func status(_ contents: TrayContents) -> String { contents.state == .waiting ? "NeedsAttention" : "Active" }

  static func property(_ name: String, _ contents: TrayContents) -> BusValue? {
    switch name {
    case "Category": .text("ApplicationStatus")
    case "Id": .text("holdfast")
    case "Title": .text("Holdfast")
    case "Status": .text(status(contents))
    case "WindowId": .int32(0)
    case "IconName", "OverlayIconName", "AttentionIconName": .text("")
    case "IconPixmap", "AttentionIconPixmap": TrayIcon.pixmaps(contents.state)
    case "ToolTip": .structure([.text(""), .array(of: "(iiay)", []), .text("Holdfast"), .text(contents.tip)])
    case "ItemIsMenu": .flag(true)
    case "Menu": .path(TrayMenu.path)
    default: nil
    }
  }
}
