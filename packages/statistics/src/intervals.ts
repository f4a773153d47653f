/** An hour, in milliseconds. */
export const HOUR_MS = 60 * 60 * 1_000;

/** A day, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/** The characters of an ISO time up to the hour. */
const HOUR_LENGTH = '2024-01-01T00'.length;

/** The start of the interval of a length that contains a time; all in milliseconds, and the times since the Unix epoch. */
export function startOf(ts: number, lengthMs: number): number {
  return Math.floor(ts / lengthMs) * lengthMs;
}

/** The id of the hour in UTC that contains a time, such as `2024-01-01T00`. Ids are in the order of their hours. */
export function hourId(ts: number): string {
  return new Date(ts).toISOString().slice(0, HOUR_LENGTH);
}

/** The start of an hour, in milliseconds since the Unix epoch. */
export function startOfHour(id: string): number {
  return Date.parse(`${id}:00:00.000Z`);
}
