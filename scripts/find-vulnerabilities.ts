import { coerce, compare, parse, type SemVer } from 'semver';

/** The lowest version of all: OSV writes 0 for it. */
const LOWEST = '0.0.0-0';

/** An advisory, as in the OSV schema; what this program does not read is left out. */
export interface Advisory {
  readonly id: string;
  readonly summary?: string;
  readonly withdrawn?: string;
  readonly affected?: readonly Affected[];
}

interface Affected {
  readonly package?: { readonly ecosystem: string; readonly name: string };
  readonly versions?: readonly string[];
  readonly ranges?: readonly { readonly type: string; readonly events: readonly RangeEvent[] }[];
}

/** A version at which a vulnerability begins or ends; it has one of these keys. */
interface RangeEvent {
  readonly introduced?: string;
  readonly fixed?: string;
  readonly last_affected?: string;
}

/** A version of a package of npm. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

/**
 * Returns the installed packages that an advisory concerns.
 *
 * @throws Error when a version of an affected package is not a version
 */
export function findVulnerable(
  installed: ReadonlyMap<string, readonly InstalledPackage[]>,
  { withdrawn, affected = [] }: Advisory,
): readonly InstalledPackage[] {
  if (withdrawn !== undefined) return [];
  const found = affected
    .filter((entry) => entry.package?.ecosystem === 'npm')
    .flatMap((entry) =>
      (installed.get(entry.package?.name ?? '') ?? []).filter(({ version }) => isAffected(version, entry)),
    );
  return [...new Set(found)];
}

function isAffected(version: string, { versions = [], ranges = [] }: Affected): boolean {
  if (versions.includes(version)) return true;
  // A range of type GIT consists of commits.
  return ranges.some(({ type, events }) => type !== 'GIT' && isWithin(toVersion(version), events));
}

function isWithin(version: SemVer, events: readonly RangeEvent[]): boolean {
  const ordered = events
    .map((event) => ({
      event,
      at: toVersion(event.introduced ?? event.fixed ?? event.last_affected ?? LOWEST),
    }))
    .toSorted((one, other) => compare(one.at, other.at));
  let within = false;
  for (const { event, at } of ordered) {
    const order = compare(version, at);
    if (event.introduced !== undefined && order >= 0) within = true;
    if (event.fixed !== undefined && order >= 0) within = false;
    if (event.last_affected !== undefined && order > 0) within = false;
  }
  return within;
}

function toVersion(text: string): SemVer {
  const version = parse(text === '0' ? LOWEST : text) ?? coerce(text);
  if (version === null) throw new Error(`"${text}" is not a version`);
  return version;
}
