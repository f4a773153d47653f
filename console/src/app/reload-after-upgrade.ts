const RELOADED = 'steward.reloaded';
/** A page that fails again within this time is not reloaded again, in milliseconds. */
const PAUSE_MS = 60_000;

/** Loads the page again when a part of it is gone because the server was upgraded since the page was opened. */
export function reloadAfterUpgrade(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < PAUSE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  });
}
