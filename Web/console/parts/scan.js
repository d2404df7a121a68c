// Reads a QR code with the camera, in browsers that have a detector.

import { h, notice } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";

/** @param {import("../view.js").View} view @param {(text: string) => void} found */
export function scanButton(view, found) {
  if (!scanButton.isThere()) return null;
  return button(t("Scan with the camera"), () => scan(view, found));
}

scanButton.isThere = () => "BarcodeDetector" in globalThis && Boolean(navigator.mediaDevices);

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
  const detector = new (/** @type {any} */ (globalThis)).BarcodeDetector({ formats: ["qr_code"] });
  while (open) {
    const [code] = await detector.detect(video).catch(() => []);
    if (code?.rawValue) {
      found(code.rawValue);
      box.close();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
