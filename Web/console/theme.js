// Runs before the first paint, so that a dark page never flashes white. It is a classic script, because modules run later.
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
})();
