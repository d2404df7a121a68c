// Reads a QR code with the camera or from a picture, in browsers that have a detector.

import { h, notice } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";

/** Ways to read a code: with the camera, and from a picture. @param {import("../view.js").View} view @param {(text: string) => void} found */
export function scanButton(view, found) {
  if (!scanButton.isThere()) return null;
  return [navigator.mediaDevices && button(t("Scan with the camera"), () => scan(view, found)), pictureButton(found)];
}

scanButton.isThere = () => "BarcodeDetector" in globalThis;

/** Reads a code from a picture, such as one of the screen. @param {(text: string) => void} found */
function pictureButton(found) {
  const file = h("input", {
    type: "file",
    class: "unseen",
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: async () => {
      const [picture] = file.files ?? [];
      file.value = "";
      if (picture) await readPicture(picture, found);
    },
  });
  file.accept = "image/*";
  return [button(t("Read a picture of it…"), () => file.click()), file];
}

/** @param {Blob} picture @param {(text: string) => void} found */
async function readPicture(picture, found) {
  const code = await codeIn(picture).catch(() => undefined);
  if (code) found(code);
  else notice(t("There is no QR code in this picture."), { bad: true });
}

/** @param {Blob} picture @returns {Promise<string | undefined>} */
async function codeIn(picture) {
  const image = await createImageBitmap(picture);
  try {
    const [code] = await detector().detect(image);
    return code?.rawValue || undefined;
  } finally {
    image.close();
  }
}

/** What reads QR codes; not every browser has one. */
function detector() {
  return new (/** @type {any} */ (globalThis)).BarcodeDetector({ formats: ["qr_code"] });
}

/** Reads a code from a picture that is pasted while the field has the focus. @param {HTMLElement} field @param {(text: string) => void} found */
export function readPasted(field, found) {
  field.addEventListener("paste", (event) => {
    const picture = [.../** @type {ClipboardEvent} */ (event).clipboardData?.files ?? []].find(({ type }) => type.startsWith("image/"));
    if (!picture || !scanButton.isThere()) return;
    event.preventDefault();
    readPicture(picture, found);
  });
}

/** @param {import("../view.js").View} view @param {(text: string) => void} found */
async function scan(view, found) {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch {
    notice(t("The camera could not be used."), { bad: true });
    return;
  }
  const video = h("video", { playsinline: true, muted: true, class: "camera" });
  let open = true;
  const stop = () => {
    open = false;
    for (const track of stream.getTracks()) track.stop();
    box.remove();
  };
  const box = h(
    "dialog",
    { "aria-label": t("Camera"), onclose: stop },
    video,
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => box.close() }, t("Stop"))),
  );
  document.body.append(box);
  box.showModal();
  view.atEnd(stop);
  video.srcObject = stream;
  await video.play();
  const reader = detector();
  while (open) {
    const [code] = await reader.detect(video).catch(() => []);
    if (code?.rawValue) {
      found(code.rawValue);
      box.close();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
