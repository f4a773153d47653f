import { hash } from 'node:crypto';
import type { Found, Lesser, OldHomeserver, Part } from '@steward/migrate';
import { rateOf, type Shown, showMeanwhile } from '../command/progress.ts';
import { reasonOf } from '../command/reason-of.ts';
import type { BatchResult, Kind } from '../import/kind.ts';
import type { Entry, Ledger } from './ledger.ts';

/** How many records one call of a service loads: as many as it accepts. */
const BATCH = 1_000;

/** About how many characters of records one call of a service loads, because services refuse larger messages. */
const BATCH_LENGTH = 4 * 1024 * 1024;

const MS_PER_SECOND = 1_000;

/** What stays when the old homeserver has it no longer: others refer to it, or have been told of it. */
const KEPT: ReadonlySet<string> = new Set([
  'users',
  'rooms',
  'reports',
  'user_reports',
  'room_reports',
  'report_numbers',
  'quarantine_changes',
]);

/** How many rows of a part were carried, and how many were not. */
export interface Copied {
  readonly kind: string;
  readonly table: string;
  readonly rows: number;
  /** Records that are new, or in place of earlier ones. */
  readonly loaded: number;
  /** Those that were there already. */
  readonly unchanged: number;
  /** Those that the old homeserver has no longer, and that were removed. */
  readonly removed: number;
  readonly refused: number;
  /** Those of which something is not carried. */
  readonly reduced: number;
}

/** Where records go, and what is said on the way. */
export interface CopyOptions {
  /** Opens a kind of records. */
  readonly open: (kind: string) => Kind;
  readonly ledger: Ledger;
  /** Called with a line for every row of a table that is not carried, or of which something is not. */
  readonly onProblem: (line: string, table: string) => void;
  /** Prints a line about how far the copy is. */
  readonly print: (line: string) => void;
}

/**
 * Loads everything that an old homeserver has, part by part, of which a batch is in memory at a time: what is new, what has changed
 * since an earlier copy, and removes what is there no longer. The caller completes the ledger when everything is on the disk.
 *
 * @returns the outcome of each part, and the highest position of an event
 */
export async function copyHomeserver(
  old: OldHomeserver,
  options: CopyOptions,
): Promise<{ readonly copied: readonly Copied[]; readonly highest: number }> {
  const { ledger, open } = options;
  const positions = ledger.positions();
  let highest = positions?.highest ?? old.firstPosition;
  ledger.begin(positions?.lowest ?? old.firstPosition);
  const copied: Copied[] = [];
  for (const [index, part] of old.parts.entries()) {
    const kind = open(part.kind);
    const copy = await copyPart(part, kind, options, (position) => {
      highest = Math.max(highest, position);
    }).catch((error: Error) => {
      throw new Error(`${part.kind} of ${part.table}: ${reasonOf(error)}`, { cause: error });
    });
    const isLast = old.parts[index + 1]?.kind !== part.kind;
    copied.push({ ...copy, removed: isLast ? await removeGone(part.kind, kind, options) : 0 });
  }
  return { copied, highest };
}

/** A record, and what the ledger notes of it. */
interface Line {
  readonly key: string;
  readonly record: unknown;
  readonly entry: Entry | undefined;
  readonly lesser: readonly Lesser[];
}

/** Loads records. */
type Load = (lines: readonly Line[]) => Promise<BatchResult>;

async function copyPart(
  part: Part,
  kind: Kind,
  { ledger, onProblem, print }: CopyOptions,
  onPosition: (position: number) => void,
): Promise<Omit<Copied, 'removed'>> {
  const { kind: name, table } = part;
  const total = await part.count();
  const sum = { rows: 0, loaded: 0, unchanged: 0, refused: 0, reduced: 0 };
  let fresh: Line[] = [];
  let changed: Line[] = [];
  let same: Entry[] = [];
  let length = 0;
  // The ids of what waits to be loaded.
  const batch = new Set<string>();
  // What an earlier copy has loaded of the row stays.
  const refuse = (key: string, problem: string, keeps = true) => {
    sum.refused++;
    if (keeps) ledger.keep(name, key);
    onProblem(`${table}: ${key}: not carried: ${problem}`, table);
  };
  const take = (found: Found) => {
    if ('problem' in found) return refuse(found.key, found.problem);
    const { key, record, position, minor = [], losses = [], lesser = [] } = found;
    if (position !== undefined) onPosition(position);
    const text = JSON.stringify(record);
    try {
      const line = { key, record: kind.read(text), entry: entryOf(kind, key, text, minor), lesser };
      const known = line.entry && ledger.look(name, line.entry);
      if (known === 'taken' || (line.entry && batch.has(line.entry.id)))
        return refuse(key, `an earlier row is the same record, ${line.entry?.id}`, false);
      if (line.entry) batch.add(line.entry.id);
      if (known === 'same' && line.entry && ledger.isTrusted) {
        same.push(line.entry);
        return;
      }
      if (known === 'changed') changed.push(line);
      else fresh.push(line);
      length += text.length;
    } catch (error) {
      return refuse(key, (error as Error).message);
    }
    if (losses.length > 0) sum.reduced++;
    for (const loss of losses) onProblem(`${table}: ${key}: ${loss}`, table);
  };
  const count = ({ loaded, skipped }: BatchResult) => {
    sum.loaded += loaded;
    sum.unchanged += skipped;
  };
  /** Loads the first of the lesser records that is accepted; returns whether there is one. */
  const loadLesser = async (line: Line, how: Load, problem: string) => {
    for (const { record, loss } of line.lesser) {
      const result = await how([{ ...line, record: kind.read(JSON.stringify(record)) }]);
      if (result.problems.length > 0) continue;
      count(result);
      sum.reduced++;
      onProblem(`${table}: ${line.key}: ${loss}: ${problem}`, table);
      return true;
    }
    return false;
  };
  const load = async (lines: readonly Line[], how: Load, replaces: boolean) => {
    if (lines.length === 0) return;
    ledger.note(name, entriesOf(lines), replaces);
    const result = await how(lines);
    count(result);
    const refused: Line[] = [];
    for (const { index, problem } of result.problems) {
      const line = lines[index];
      if (!line || (await loadLesser(line, how, problem))) continue;
      refuse(line.key, problem);
      refused.push(line);
    }
    if (!replaces)
      ledger.forget(
        name,
        entriesOf(refused).map(({ id }) => id),
      );
  };
  const flush = async () => {
    ledger.note(name, same);
    sum.unchanged += same.length;
    const replaced = changed;
    const added = fresh;
    same = [];
    changed = [];
    fresh = [];
    length = 0;
    batch.clear();
    const { replace } = kind;
    const recordsOf = (lines: readonly Pick<Line, 'record'>[]) => lines.map(({ record }) => record);
    const renew: Load = (lines) =>
      replace
        ? replace(
            recordsOf(lines),
            entriesOf(lines).map(({ id }) => id),
          )
        : kind.load(recordsOf(lines));
    await load(replaced, renew, true);
    await load(added, (lines) => kind.load(recordsOf(lines)), false);
  };
  const shown = shownProgress(`${name} of ${table}`, total, () => sum.rows, print);
  try {
    for await (const found of part.read(name === 'events' ? ledger.positions() : undefined)) {
      sum.rows++;
      take(found);
      if (fresh.length + changed.length + same.length >= BATCH || length >= BATCH_LENGTH) await flush();
      shown.update();
    }
    await flush();
  } finally {
    shown.stop();
  }
  return { kind: name, table, ...sum };
}

/** Removes what an earlier copy has loaded and the old homeserver has no longer; returns how many. */
async function removeGone(name: string, kind: Kind, { ledger, onProblem }: CopyOptions): Promise<number> {
  let removed = 0;
  for (const ids of ledger.gone(name)) {
    if (KEPT.has(name) || !kind.remove) {
      for (const id of ids)
        onProblem(`${name}: ${id}: the old homeserver has it no longer; it stays here`, name);
      continue;
    }
    await kind.remove(ids);
    ledger.remove(name, ids);
    removed += ids.length;
  }
  return removed;
}

function entryOf({ idOf }: Kind, key: string, text: string, minor: readonly string[]): Entry | undefined {
  if (!idOf) return undefined;
  const compared =
    minor.length === 0
      ? text
      : JSON.stringify(JSON.parse(text), (name, value) => (minor.includes(name) ? undefined : value));
  return { key, id: idOf(text), digest: hash('sha256', compared, 'buffer').subarray(0, DIGEST_BYTES) };
}

/** How much of a digest is kept: equal ones of different records are out of reach. */
const DIGEST_BYTES = 16;

function entriesOf(lines: readonly Line[]): readonly Entry[] {
  return lines.flatMap(({ entry }) => entry ?? []);
}

/** Shows how many of how many rows were read, how fast, and about how long the rest takes. */
function shownProgress(
  what: string,
  total: number,
  done: () => number,
  print: (line: string) => void,
): Shown {
  return showMeanwhile(
    (elapsedMs) => {
      const rate = rateOf(done(), elapsedMs);
      const left = rate > 0 && total > done() ? `, about ${Math.ceil((total - done()) / rate)} s left` : '';
      const much =
        done() === 0
          ? `${Math.round(elapsedMs / MS_PER_SECOND)} s`
          : `${done()} of ${total}, ${rate}/s${left}`;
      return `migrate: ${what}: ${much}`;
    },
    { print },
  );
}
