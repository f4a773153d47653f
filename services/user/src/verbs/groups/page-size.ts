const DEFAULT_LIMIT = 100n;
const MAX_LIMIT = 1_000n;

/** How many entries a page has. */
export function pageSize(requested: bigint = DEFAULT_LIMIT): number {
  return Number(requested > MAX_LIMIT ? MAX_LIMIT : requested);
}
