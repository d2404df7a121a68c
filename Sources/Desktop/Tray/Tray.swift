import Platform

/// An icon with a menu in the desktop's panel. Where no panel shows such icons, it waits for one.
///
/// It is on the bus by a connection of its own: whoever may ask the signer for signatures there, as a confined app, cannot press it.
public final class Tray: Sendable {
  private struct Hook: Sendable { let chosen: @Sendable (Int32) -> Void }

  private struct State: Sendable {
    var contents: TrayContents
    var revision: UInt32 = 1
    /// Whether a panel has taken the item.
    var isShown = false
  }

  private static let watcher = SessionBus.Party(
    name: "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher", interface: "org.kde.StatusNotifierWatcher")

  private let hook: Hook
  private let state: Locked<State>
  private let host = Locked<BusHost?>(nil)

  /// - Parameter chosen: called on a thread of the tray with the entry that was chosen, if it can be.
  public init(_ contents: TrayContents, chosen: @escaping @Sendable (_ entry: Int32) -> Void) {
    (hook, state) = (Hook(chosen: chosen), Locked(State(contents: contents)))
    let item = BusObject(
      path: TrayItem.path, interfaces: [TrayItem.interface],
      property: { [weak self] _, name in self.flatMap { TrayItem.property(name, $0.contents) } },
      // What a click does is in the menu, which panels open for an item that says so.
      call: { [weak self] call in self?.bus?.answer(call, .success([])) })
    let menu = BusObject(
      path: TrayMenu.path, interfaces: [TrayMenu.interface], property: { _, name in TrayMenu.property(name) },
      call: { [weak self] in self?.called($0) })
    let hooks = BusHost.Hooks(
      connected: { [weak self] in self?.find() }, signal: { [weak self] in self?.heard($0) },
      disconnected: { [weak self] in self?.state.withLock { $0.isShown = false } })
    host.withLock { $0 = BusHost(name: "\(TrayItem.name)-\(getpid())-1", objects: [item, menu], hooks: hooks) }
  }

  /// Connects, if there may be a session bus.
  public func start() { if BusHost.mayBeOfUse { bus?.start() } }

  /// Removes the icon.
  public func stop() { bus?.stop() }

  /// Whether a panel has taken the icon.
  public var isShown: Bool { state.withLock { $0.isShown } }

  /// Sets what is shown. Does not wait.
  public func show(_ contents: TrayContents) {
    let (old, revision) = state.withLock { state in
      defer {
        if state.contents != contents { state.revision &+= 1 }
        state.contents = contents
      }
      return (state.contents, state.revision &+ 1)
    }
    guard old != contents else { return }
    bus?.tell(TrayItem.path, TrayItem.name, "NewIcon")
    bus?.tell(TrayItem.path, TrayItem.name, "NewAttentionIcon")
    bus?.tell(TrayItem.path, TrayItem.name, "NewToolTip")
    bus?.tell(TrayItem.path, TrayItem.name, "NewStatus", [.text(TrayItem.status(contents))])
    bus?.tell(TrayMenu.path, TrayMenu.name, "LayoutUpdated", [.uint32(revision), .int32(0)])
  }

  private var contents: TrayContents { state.withLock { $0.contents } }
  private var bus: BusHost? { host.withLock { $0 } }

  // MARK: on the host's thread

  private func called(_ call: BusCall) {
    let (contents, revision) = state.withLock { ($0.contents, $0.revision) }
    if let answer = TrayMenu.answer(call, contents, revision: revision) {
      bus?.answer(call, answer)
      return
    }
    for id in TrayMenu.chosen(call) where contents.entries.contains(where: { $0.id == id && $0.isEnabled }) { hook.chosen(id) }
    bus?.answer(call, .success(call.member == "Event" ? [] : [.array(of: "i", [])]))
  }

  /// Finds the panels' register, now and when another program becomes it. It is never started for this.
  private func find() {
    let rule =
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.watcher.name)'"
    bus?.askBus("AddMatch", [.text(rule)])
    bus?.askBus("NameHasOwner", [.text(Self.watcher.name)]) { [weak self] answer in
      if case .success(let values) = answer, values == [.flag(true)] { self?.register() }
    }
  }

  private func heard(_ signal: BusSignal) {
    guard signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged", signal.values.count == 3,
      signal.values[0].text == Self.watcher.name
    else { return }
    state.withLock { $0.isShown = false }
    if signal.values[2].text != "" { register() }
  }

  private func register() {
    bus?.ask(Self.watcher, "RegisterStatusNotifierItem", [.text(bus?.name ?? "")]) { [weak self] answer in
      if case .success = answer { self?.state.withLock { $0.isShown = true } }
    }
  }
}
