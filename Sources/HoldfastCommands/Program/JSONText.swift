import JSON
import TerminalUI

/// A value as text, not yet printable; empty for none.
func plain(_ value: JSONValue?) -> String {
  switch value {
  case .string(let text)?: text
  case .integer(let number)?: "\(number)"
  case .bool(let truth)?: truth ? "yes" : "no"
  default: ""
  }
}

/// A value made printable.
func shown(_ value: JSONValue?, limit: Int = 200) -> String { printable(plain(value), limit: limit) }

/// Local date and time; empty for none.
func date(_ value: JSONValue?) -> String { date(value?.integer) }
