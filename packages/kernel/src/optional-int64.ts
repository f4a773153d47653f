/** A stored whole number, or none, as an optional field of a message carries it. */
export function optionalInt64(value: number | null): bigint | undefined {
  return value === null ? undefined : BigInt(value);
}
