/** Counts of answers by status; 0 counts requests without an answer. */
export type Statuses = ReadonlyMap<number, number>;

/** How long an attacker waits before it connects again where the server closed its connection, in milliseconds. */
const PAUSE_MS = 10;

/** Sends requests from a number of connections until the time is over; each waits for its answer. */
export async function repeat(
  connections: number,
  durationMs: number,
  send: (connection: number) => Promise<number>,
): Promise<Statuses> {
  const statuses = new Map<number, number>();
  const end = performance.now() + durationMs;
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      while (performance.now() < end) {
        const status = await send(connection).catch(() => 0);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 0) await after(PAUSE_MS);
      }
    }),
  );
  return statuses;
}

/** The counts in words, for example `12 × 200, 3 × 429`. */
export function describe(statuses: Statuses): string {
  const counts = [...statuses].sort(([one], [other]) => one - other);
  return counts.map(([status, count]) => `${count} × ${status || 'closed'}`).join(', ');
}

/** Resolves after a time, in milliseconds. */
export function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
