/** Converts a stored integer or null to an optional int64 field of a message. */
export function optionalInt64(value: number | null): bigint | undefined {
  return value === null ? undefined : BigInt(value);
}
