extension Command {
  /// `holdfast slot …`
  static let slotVerbs: [Command] = []
}
