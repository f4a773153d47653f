import { refuse } from '@steward/errors';
import { compareCodePoints } from '@steward/kernel';
import { type Filter, forEachBatch } from '@steward/store';
import type { Deps } from '../deps.ts';
import { keyOf, type Media } from '../model/media.ts';
import { filterOf, type Selector } from './selector.ts';

/** The fields by which the inventory sorts. Media that were never accessed come before all times. */
export type SortField = 'length' | 'created_ts' | 'last_access_ts';

/** An order of the inventory: ties follow the direction by id. */
export interface Order {
  readonly field: SortField;
  readonly direction: 1 | -1;
}

/** The position of a medium in an order. */
export interface Position {
  readonly value: number | null;
  readonly id: string;
}

/** What a page needs. */
type InventoryDeps = Pick<Deps, 'media' | 'rooms'>;

/** Media that are being deleted are no longer listed. They are few, so that their state need not be in every index. */
const isStored = ({ state }: Media) => state !== 'deleting';

/** The number of media that are read by their ids at once. */
const BATCH = 500;

/** The position of a medium. */
export function positionOf(medium: Media, { field }: Order): Position {
  return { value: medium[field], id: medium._id };
}

/**
 * Reads the first media of a selector after a position.
 *
 * @throws refuse.invalidParam for a selector with a room that shows too many media
 */
export async function readPage(
  deps: InventoryDeps,
  selector: Selector,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<readonly Media[]> {
  if (selector.roomId === undefined) return readRanges(deps, filterOf(selector), order, after, limit);
  const media = (await mediaOfRoom(deps, selector.roomId, filterOf(selector))).sort(inOrder(order));
  const isLater = (medium: Media) =>
    !after || order.direction * compare(positionOf(medium, order), after) > 0;
  return media.filter(isLater).slice(0, limit);
}

/**
 * Reads all media of a selector after a position, in order, part by part, each as it is at its turn. What a room shows is looked up
 * once: each look-up reads all media of the room.
 *
 * @throws refuse.invalidParam for a selector with a room that shows too many media
 */
export async function* readParts(
  deps: InventoryDeps,
  selector: Selector,
  order: Order,
  after: Position | undefined,
  size: number,
): AsyncGenerator<readonly Media[]> {
  if (selector.roomId === undefined) {
    let reached = after;
    for (;;) {
      const some = await readPage(deps, selector, order, reached, size);
      const last = some.at(-1);
      if (!last) return;
      yield some;
      reached = positionOf(last, order);
    }
  }
  const keys = (await readPage(deps, selector, order, after, Infinity)).map(({ _id }) => _id);
  for (let from = 0; from < keys.length; from += size) {
    const some = await readNamed(deps, keys.slice(from, from + size), filterOf(selector));
    yield some.sort(inOrder(order));
  }
}

async function readRanges(
  deps: InventoryDeps,
  filter: Filter<Media>,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<readonly Media[]> {
  const found: Media[] = [];
  for (let from = after; found.length < limit; ) {
    const left = limit - found.length;
    const some = await readFirst(deps, filter, order, from, left);
    found.push(...some.filter(isStored));
    const last = some.at(-1);
    if (!last || some.length < left) break;
    from = positionOf(last, order);
  }
  return found;
}

/** Reads the first media after a position from the ranges of an order, of which each is in order. */
async function readFirst(
  { media }: InventoryDeps,
  filter: Filter<Media>,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<readonly Media[]> {
  const { field, direction } = order;
  const sort = { [field]: direction, _id: direction } as const;
  const found: Media[] = [];
  for (const range of rangesOf(order, after)) {
    if (!isPossible(range, filter)) continue;
    const left = limit - found.length;
    if (left > 0)
      found.push(...(await media.find({ $and: [filter, ...range] }, { sort, limit: left }).toArray()));
  }
  return found;
}

/**
 * The ranges of an order after a position, in order; each as conditions. Each is a range of an index that holds the order, without
 * alternatives, which no index alone could test: the rest of the ties, what follows them, and media that were never accessed.
 */
export function rangesOf(
  { field, direction }: Order,
  after: Position | undefined,
): readonly (readonly Filter<Media>[])[] {
  const beyond = direction === 1 ? '$gt' : '$lt';
  const rest = ({ value, id }: Position): readonly (readonly Filter<Media>[])[] => [
    [{ [field]: value }, { _id: { [beyond]: id } }],
    ...(value === null ? [] : [[{ [field]: { [beyond]: value } }]]),
  ];
  if (field !== 'last_access_ts') return after ? rest(after) : [[]];
  const never: readonly Filter<Media>[] = [{ last_access_ts: null }];
  const all: readonly Filter<Media>[] = [{ last_access_ts: { $gte: 0 } }];
  if (direction === 1) {
    if (!after) return [never, all];
    return after.value === null ? [...rest(after), all] : rest(after);
  }
  if (!after) return [all, never];
  return after.value === null ? rest(after) : [...rest(after), never];
}

/** Whether a range of an order, of media that were never accessed or of others, can have some that a filter selects. */
function isPossible(range: readonly Filter<Media>[], { last_access_ts: wanted }: Filter<Media>): boolean {
  const given = range.flatMap(({ last_access_ts: one }) => (one === undefined ? [] : [one === null]));
  return wanted === undefined || given.every((isNever) => isNever === (wanted === null));
}

/** How many media, and their size in bytes. */
export interface InventoryTotals {
  readonly count: number;
  readonly bytes: number;
}

/** The exact number and size of the media of a selector. */
export async function totalsOf(deps: InventoryDeps, selector: Selector): Promise<InventoryTotals> {
  const filter = filterOf(selector);
  if (selector.roomId !== undefined) {
    const media = await mediaOfRoom(deps, selector.roomId, filter);
    return { count: media.length, bytes: media.reduce((sum, { length }) => sum + length, 0) };
  }
  // No index has the media without a marker, which are nearly all: those with it are subtracted.
  const { quarantined, protected: isProtected, ...others } = selector;
  const kept = { ...others, ...(quarantined === undefined ? {} : { quarantined }) };
  if (isProtected === false) return difference(deps, kept, { ...kept, protected: true });
  if (quarantined === false) {
    const rest = { ...others, ...(isProtected === undefined ? {} : { protected: isProtected }) };
    return difference(deps, rest, { ...rest, quarantined: true });
  }
  const [all, deleting] = await Promise.all([deps.media.totals(filter, 'length'), deletingOf(deps, filter)]);
  return {
    count: Math.max(0, all.count - deleting.length),
    bytes: Math.max(0, all.sum - deleting.reduce((sum, { length }) => sum + length, 0)),
  };
}

/** The totals of a selector without those of another one, which selects some of its media. */
async function difference(deps: InventoryDeps, all: Selector, some: Selector): Promise<InventoryTotals> {
  const [of, without] = await Promise.all([totalsOf(deps, all), totalsOf(deps, some)]);
  return {
    count: Math.max(0, of.count - without.count),
    bytes: Math.max(0, of.bytes - without.bytes),
  };
}

/** The media that match and are being deleted: few, so that their state need not be in every index. */
async function deletingOf({ media }: InventoryDeps, filter: Filter<Media>): Promise<readonly Media[]> {
  const found: Media[] = [];
  await forEachBatch(media, { state: 'deleting' }, { size: BATCH, projection: { _id: 1 } }, async (some) => {
    const ids = some.map(({ _id }) => _id);
    const matching = media.find({ $and: [{ _id: { $in: ids } }, filter] }, { projection: { length: 1 } });
    found.push(...(await matching.toArray()));
  });
  return found;
}

/** The media that a room shows and that match, in no particular order. */
async function mediaOfRoom(deps: InventoryDeps, roomId: string, filter: Filter<Media>): Promise<Media[]> {
  const uris = await deps.rooms.shownIn(roomId);
  if (!uris) throw refuse.invalidParam('The room shows more than 10,000 media');
  const keys = [...new Set(uris.flatMap(keyOf))];
  const found: Media[] = [];
  for (let from = 0; from < keys.length; from += BATCH)
    found.push(...(await readNamed(deps, keys.slice(from, from + BATCH), filter)));
  return found;
}

/** The media with some keys that match, in no particular order. */
async function readNamed(
  { media }: Pick<InventoryDeps, 'media'>,
  keys: readonly string[],
  filter: Filter<Media>,
): Promise<Media[]> {
  return (await media.find({ $and: [{ _id: { $in: keys } }, filter] }).toArray()).filter(isStored);
}

/** Compares media as an order has them. */
function inOrder(order: Order): (a: Media, b: Media) => number {
  return (a, b) => order.direction * compare(positionOf(a, order), positionOf(b, order));
}

function compare(a: Position, b: Position): number {
  if (a.value === b.value) return compareCodePoints(a.id, b.id);
  return (a.value ?? -1) - (b.value ?? -1);
}
