// Shows the sheets of a recovery kit one at a time, and prints one or all, each on a page of its own. The words of each are a share. They are
// never stored or put into an address, and are gone when the person leaves the page.

import { fill, h } from "../dom.js";
import { fromSigner, rich, t } from "../language.js";
import { fullTime } from "../words.js";
import { button } from "./common.js";
import { dialog } from "./dialog.js";
import { qrCode } from "./qr.js";
import { kitSteps } from "./steps.js";

/** @typedef {{shares: string[], threshold: number, title: string, kit: any}} Made  with the kit as the signer described it */

/**
 * @param {import("../view.js").View} view  when it is left, the shares are gone
 * @param {Element} box
 * @param {Made} made
 * @param {() => void} done
 */
export function showShares(view, box, made, done) {
  let at = 0, arePrinted = false;
  const held = [...made.shares], kept = { ...made, shares: held };
  const clear = () => {
    held.fill("");
    fill(box);
  };
  view.atEnd(clear);
  view.askBeforeLeaving(stop);
  const finish = () => {
    view.askBeforeLeaving(null);
    clear();
    done();
  };
  const show = async () => {
    const article = await sheet(kept, at);
    if (!view.isOpen) return;
    const isLast = at === held.length - 1, isEnd = isLast || arePrinted;
    fill(
      box,
      kitSteps(1),
      article,
      h(
        "footer",
        { class: "sheet-end screen" },
        h("p", { class: "warning" }, t("Write it down or print it now. It is not shown again.")),
        h(
          "div",
          { class: "buttons" },
          button(t("Print this one"), () => print()),
          held.length > 1 && button(t("Print all"), all),
          at > 0 && button(t("Back"), () => move(-1)),
          !isLast && button(t("Next sheet"), () => move(1), { class: isEnd ? "" : "primary" }),
          isEnd && button(t("I have them all"), finish, { class: "primary" }),
        ),
      ),
    );
    // The next sheet begins at its beginning.
    box.scrollIntoView({ block: "start" });
    box.querySelector("h2")?.focus({ preventScroll: true });
  };
  const all = async () => {
    await printAll(box, kept);
    arePrinted = true;
    if (view.isOpen && held[at]) await show();
  };
  const move = (/** @type {number} */ step) => {
    at += step;
    return show();
  };
  return show();
}

/** One sheet, as it is shown and printed. @param {Made} made @param {number} at  from 0 @returns {Promise<HTMLElement>} */
async function sheet({ shares, threshold, title, kit }, at) {
  const name = t("Sheet {number} of {all}", { number: at + 1, all: shares.length });
  return h(
    "article",
    { class: "sheet", "aria-label": name },
    h("h2", { tabindex: "-1" }, name),
    h(
      "p",
      {},
      kit.npub
        ? t("{kit}. Any {needed} of the {all} sheets restore it; fewer reveal nothing.", { kit: title, needed: threshold, all: shares.length })
        : t("{kit}. Any {needed} of the {all} sheets open it, or a backup of it; fewer reveal nothing.", { kit: title, needed: threshold, all: shares.length }),
      " ",
      h("span", { class: "paper" }, t("Made {time} by Holdfast (SLIP-39).", { time: fullTime(Date.now() / 1000) })),
    ),
    h("ol", { class: "share-words" }, shares[at].split(" ").map((word) => h("li", {}, word))),
    await qrCode(shares[at], t("QR code of sheet {number}", { number: at + 1 }), { secret: true }),
    about(kit),
    h("p", { class: "paper" }, t("Keep it apart from the others. Type its words into nothing but your own Holdfast, and never give them to anybody who calls or writes.")),
  );
}

/** Prints every sheet on a page of its own. They are on the page for as long as that takes, and the one that is shown is not printed twice. @param {Element} box @param {Made} made */
async function printAll(box, made) {
  const pages = h("div", { class: "paper" }, await Promise.all(made.shares.map((_, at) => sheet(made, at))));
  const shown = box.querySelector("article");
  const printed = new Promise((resolve) => addEventListener("afterprint", resolve, { once: true }));
  shown?.classList.add("screen");
  box.append(pages);
  print();
  await printed;
  pages.remove();
  shown?.classList.remove("screen");
}

/** Whether to leave the sheets before the last one was confirmed. */
function stop() {
  return dialog(t("Leave before you have all the sheets?"), [
    h("p", {}, t("The sheets are not shown again, and this kit does not count. You would make a new one.")),
  ], { confirm: t("Leave"), dangerous: true, act: () => {}, cancel: t("Stay") });
}

/** The text on every sheet besides the words: what to do with it, what the sheets give, and the npub that this must be. @param {any} kit */
function about(kit) {
  return h(
    "div",
    { class: "share-about" },
    h("h3", {}, t("How to use it")),
    h(
      "ol",
      { class: "what-to-do" },
      kit.steps.map((/** @type {any} */ step) => h("li", {}, fromSigner(step.text), step.command && h("code", { class: "run" }, unbroken(step.command)))),
    ),
    h("p", {}, t("Kit {id}. Together, enough sheets give {what}.", { id: kit.id, what: fromSigner(kit.holds) })),
    kit.npub && h("p", {}, rich("The key's npub is {npub}.", { npub: h("code", { class: "whole" }, kit.npub) })),
    h("p", {}, kit.code ? t("Recovery code: needed in addition to the sheets. It is on no sheet.") : t("Recovery code: none.")),
    h("p", {}, fromSigner(kit.elsewhere)),
  );
}

/** A command for paper. Lines break between words only, so that a line break always means a space. @param {string} command */
function unbroken(command) {
  return command.split(" ").flatMap((word, at) => [at > 0 && " ", h("span", {}, word)]);
}
