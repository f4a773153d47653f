/** Clamps a 64-bit number of rows or milliseconds to the safe integers, beyond which no document can match. */
export function clampToSafe(value: bigint): number {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > max ? max : value);
}
