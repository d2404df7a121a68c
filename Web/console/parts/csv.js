// Entries of the log as files: a table for spreadsheets (CSV, RFC 4180), or JSON lines for programs.

/** The columns of the table, by the entry's members. */
const COLUMNS = ["time", "sequence", "entry", "decision", "client", "client_name", "identity", "method", "kind", "text", "rule", "reason", "request", "signed", "error"];

/**
 * One field. A spreadsheet takes a text that begins with one of these as a formula, and apps choose their names themselves: such a
 * text gets an apostrophe in front, also after a semicolon or tab, where spreadsheets of some countries begin a new field.
 * @param {unknown} value
 */
function cell(value) {
  const text = value === undefined || value === null ? "" : String(value);
  const safe = text.replace(/(^|[;\t\r\n"])(\s*[=+\-@＝＋－＠])/g, "$1'$2");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {Record<string, any>[]} entries */
export function csv(entries) {
  const rows = entries.map((entry) =>
    COLUMNS.map((name) => cell(name === "time" ? new Date(entry.time * 1000).toISOString() : entry[name] ?? entry.outcome?.[name])).join(",")
  );
  return [COLUMNS.join(","), ...rows].map((row) => `${row}\r\n`).join("");
}

/** @param {Record<string, any>[]} entries */
export function jsonLines(entries) {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
