const SECONDS = /^[0-9]{1,9}$/;
const SECOND_MS = 1_000;

/**
 * How long a Retry-After header asks to wait, in milliseconds from `now`, at least 0.
 *
 * @returns undefined without a header, or with one that is neither a number of seconds nor a date of HTTP
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (SECONDS.test(header)) return Number(header) * SECOND_MS;
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
