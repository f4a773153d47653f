/** Returns the servers that events are sent to (behaviour.md 13.3): none. */
export function listDestinations() {
  return { destinations: [], total: 0n };
}
