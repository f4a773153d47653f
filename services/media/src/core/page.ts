/** The default number of rows on a page. */
export const DEFAULT_LIMIT = 100;

/** The maximum number of rows on a page; `next_token` continues after it. */
export const MAX_LIMIT = 10_000;

/** Row numbers are 64-bit; beyond the safe integers there are no rows, so nothing is lost. */
export function clampToSafe(value: bigint): number {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > max ? max : value);
}
