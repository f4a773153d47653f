/** A number of rows or milliseconds; beyond the safe integers there is nothing to be found, so nothing is lost. */
export function clampToSafe(value: bigint): number {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > max ? max : value);
}
