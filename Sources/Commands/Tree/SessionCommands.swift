extension Command {
  /// `holdfast session …`
  static let sessionVerbs: [Command] = []
}
