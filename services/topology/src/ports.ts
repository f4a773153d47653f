const HIGHEST_PORT = 65_535;

/**
 * Returns a port and those after it.
 *
 * @param setting what names the first one, for the error
 * @throws Error in one line when they are not all ports
 */
export function consecutivePorts(setting: string, first: number, count: number): readonly number[] {
  const highest = HIGHEST_PORT - count + 1;
  if (!Number.isInteger(first) || first < 1 || first > highest) {
    throw new Error(`${setting} must be a port from 1 to ${highest}: it is the first of ${count}.`);
  }
  return Array.from({ length: count }, (_, n) => first + n);
}
