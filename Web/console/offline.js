// For the page "not connected": reloads as soon as the signer answers.
(() => {
  const attempt = () => {
    const headers = { "content-type": "application/json" };
    fetch("/api/v1/session/state", { method: "POST", body: "{}", cache: "no-store", headers }).then((answer) => {
      if (answer.ok) location.reload();
    }, () => {});
  };
  document.getElementById("again").addEventListener("click", attempt);
  setInterval(attempt, 3000);
})();
