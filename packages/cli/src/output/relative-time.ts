/** The units of distances in time, the longest first, in milliseconds. */
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['y', 31_536_000_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** Returns how far a time is from the present, such as `3d ago` or `in 2h`; both are in milliseconds since the Unix epoch. */
export function relativeTime(ms: number, now: number): string {
  const distance = Math.abs(now - ms);
  const unit = UNITS.find(([, length]) => distance >= length);
  if (unit === undefined) return 'now';
  const text = `${Math.floor(distance / unit[1])}${unit[0]}`;
  return ms < now ? `${text} ago` : `in ${text}`;
}
