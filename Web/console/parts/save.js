// Saves a text or bytes as a file.

/** @param {string | Uint8Array<ArrayBuffer>} content @param {string} name @param {string} [type] */
export function save(content, name, type = "application/octet-stream") {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
