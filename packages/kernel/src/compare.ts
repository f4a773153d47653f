/**
 * Orders strings by code point, as both storage engines do. JavaScript's own order is by UTF-16
 * unit and differs for characters beyond the basic plane.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unit = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (unit === other) continue;
    // Only a trailing surrogate is out of order, and only its predecessor shows that it is one.
    return isSurrogate(unit) || isSurrogate(other)
      ? Buffer.compare(Buffer.from(a), Buffer.from(b))
      : unit - other;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
