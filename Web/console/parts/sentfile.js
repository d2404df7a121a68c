// A card that takes a backup file of this computer and sends it to the signer: by a button, or dropped on it. What follows is its owner's.

import { call } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { rich, t } from "../language.js";
import { busy, button, fault } from "./common.js";
import { clearFaults, showFault } from "./faults.js";
import { forget, send, Stopped } from "./upload.js";

/** Exit codes of the signer after which the file is still there: a wrong call, and a wrong credential or one that has to wait. */
const STAYS = [2, 3];

/** One card, from the choice of a file on. */
export class SentFile {
  /** The upload under way; "" for none. */
  upload = "";
  /** How often a file was chosen or given up: what comes of an earlier one is dropped. */
  turn = 0;

  /**
   * @param {import("../view.js").View} view @param {HTMLElement} box
   * @param {{title: string, help: string, arrived: (name: string, told: any) => unknown, stopped?: () => void}} options  `arrived` hears what is
   *   known of a file without a credential; `stopped`: that it was given up
   */
  constructor(view, box, { title, help, arrived, stopped = () => {} }) {
    [this.box, this.title, this.help, this.arrived, this.stopped] = [box, title, help, arrived, stopped];
    view.atEnd(() => this.stop());
  }

  /** Asks for a file. @param {any} [failure]  of the one before */
  choose(failure = null) {
    const input = h("input", { type: "file", hidden: true, "aria-label": t("Backup file"), onchange: () => this.#take(input) });
    const open = button(t("Choose a file…"), () => input.click());
    this.show(
      h("p", { class: "help" }, this.help),
      failure && fault(failure),
      h("div", { class: "buttons drop" }, open, input),
    );
    this.#takeDrops();
    if (failure) open.focus();
  }

  /** @param {HTMLInputElement} input */
  #take(input) {
    const [file] = input.files ?? [];
    if (file) this.#send(file);
    input.value = "";
  }

  #takeDrops() {
    const place = this.box.querySelector(".drop");
    if (!(place instanceof HTMLElement)) return;
    this.box.ondragover = (event) => {
      event.preventDefault();
      place.classList.add("over");
    };
    this.box.ondragleave = () => place.classList.remove("over");
    this.box.ondrop = (event) => {
      event.preventDefault();
      place.classList.remove("over");
      const [file] = event.dataTransfer?.files ?? [];
      if (file) this.#send(file);
    };
  }

  /** @param {File} file */
  async #send(file) {
    const turn = this.turn += 1;
    const bar = h("progress", { max: "100", value: "0", "aria-label": t("Sending {file}", { file: file.name }) });
    const cancel = this.cancelButton(t("Cancel"));
    this.show(h("p", {}, rich("Sending {file}…", { file: named(file.name) })), bar, h("div", { class: "buttons" }, cancel));
    cancel.focus();
    try {
      await send(file, {
        begun: (upload) => {
          if (turn === this.turn) this.upload = upload;
          else forget(upload);
        },
        sent: (bytes) => {
          bar.value = (bytes / file.size) * 100;
        },
        isStopped: () => turn !== this.turn,
      });
      const told = await call("backup/upload-end", { upload: this.upload });
      if (turn === this.turn) await this.arrived(file.name, told);
    } catch (failure) {
      if (turn === this.turn && !(failure instanceof Stopped)) this.#restart(failure);
    }
  }

  /** A form about the file. @param {string} label  of its button @param {import("../dom.js").Child} body @param {(faults: Element) => Promise<unknown>} act @returns {HTMLFormElement} */
  form(label, body, act) {
    const faults = h("div", {}), submit = h("button", { type: "submit", class: "primary" }, label);
    return h(
      "form",
      {
        class: "fields-box",
        novalidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          busy(submit, () => act(faults));
        },
      },
      body,
      faults,
      h("div", { class: "buttons" }, submit, this.cancelButton(t("Cancel"))),
    );
  }

  /** Shows a form about the file that arrived. @param {HTMLFormElement} form @param {...import("../dom.js").Child} before */
  ask(form, ...before) {
    this.show(...before, form);
    announce(t("The file has arrived."));
    /** @type {HTMLElement | null} */ (form.querySelector("input, textarea, select"))?.focus();
  }

  /**
   * Calls an operation about the file, and says in the form what was wrong.
   * @param {Element} form @param {Element} faults @param {() => Promise<any>} work
   * @returns {Promise<any>} the result; null after a fault, or when the file was given up meanwhile
   */
  async perform(form, faults, work) {
    const turn = this.turn;
    clearFaults(form, faults);
    try {
      const found = await work();
      return turn === this.turn ? found : null;
    } catch (failure) {
      if (turn !== this.turn) return null;
      const { status, exit } = /** @type {any} */ (failure);
      if (status === 200 && !STAYS.includes(exit)) this.#restart(failure);
      else showFault(form, faults, failure);
      return null;
    }
  }

  /** @param {string} label */
  cancelButton(label) {
    return button(label, () => {
      this.stop();
      this.choose();
      /** @type {HTMLElement | null} */ (this.box.querySelector("button"))?.focus();
    });
  }

  /** @param {any} failure */
  #restart(failure) {
    this.stop();
    this.choose(failure);
  }

  /** Gives up what is under way. */
  stop() {
    this.turn += 1;
    if (this.upload) forget(this.upload);
    this.upload = "";
    this.stopped();
  }

  /** @param {...import("../dom.js").Child} body */
  show(...body) {
    for (const event of /** @type {const} */ (["ondragover", "ondragleave", "ondrop"])) this.box[event] = null;
    fill(this.box, h("h2", {}, this.title), ...body);
  }
}

/** A file's name. @param {string} name */
export function named(name) {
  return h("code", { class: "whole", dir: "auto" }, name);
}
