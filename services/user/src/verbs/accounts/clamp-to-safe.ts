/** Clamps a 64-bit number to the safe integers, beyond which there are no rows and no times. */
export function clampToSafe(value: bigint): number {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > max ? max : value);
}
