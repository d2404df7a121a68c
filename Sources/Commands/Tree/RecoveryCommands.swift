extension Command {
  /// `holdfast recovery …`
  static let recoveryVerbs: [Command] = []
}
