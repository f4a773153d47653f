import { refuse } from '@steward/errors';
import { compareCodePoints } from '@steward/kernel';
import type { Filter } from '@steward/store';
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

/** Media that are being deleted are no longer listed. */
export const STORED: Filter<Media> = { state: { $ne: 'deleting' } };

/** The number of media that are read by their ids at once. */
const BATCH = 500;

/** The most media that are sorted here. */
const FEW = 500;

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
  const filter = filterOf(selector);
  const found =
    selector.roomId === undefined
      ? await readFew(deps, selector, order)
      : await mediaOfRoom(deps, selector.roomId, filter);
  if (!found) return readRanges(deps, filter, order, after, limit);
  const media = found.sort((a, b) => order.direction * compare(positionOf(a, order), positionOf(b, order)));
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
    const named = { _id: { $in: keys.slice(from, from + size) } };
    const some = await deps.media.find({ $and: [named, filterOf(selector), STORED] }).toArray();
    yield some.sort((a, b) => order.direction * compare(positionOf(a, order), positionOf(b, order)));
  }
}

/**
 * Reads the media of a range by size or upload for the order by last access, where they are few. The two ranges of this order are
 * long, and such media would be looked for along them.
 */
async function readFew(
  { media }: InventoryDeps,
  selector: Selector,
  { field }: Order,
): Promise<Media[] | undefined> {
  const { sizeMin, sizeMax, createdAfter, createdBefore } = selector;
  if (field !== 'last_access_ts' || (sizeMin ?? sizeMax ?? createdAfter ?? createdBefore) === undefined)
    return undefined;
  const found = await media.find({ $and: [filterOf(selector), STORED] }, { limit: FEW + 1 }).toArray();
  return found.length > FEW ? undefined : found;
}

/** Reads the media that were never accessed and the others as two ranges of an index, each in order. */
async function readRanges(
  { media }: InventoryDeps,
  filter: Filter<Media>,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<readonly Media[]> {
  const { field, direction } = order;
  const sort = { [field]: direction, _id: direction } as const;
  const found: Media[] = [];
  const { last_access_ts: asked } = filter;
  const isPossible = (range: readonly Filter<Media>[]) =>
    field !== 'last_access_ts' || asked === undefined || (asked === null) === isOfNever(range);
  for (const range of rangesOf(order, after).filter(isPossible)) {
    const left = limit - found.length;
    if (left > 0) {
      const some = media.find({ $and: [filter, STORED, ...range] }, { sort, limit: left });
      found.push(...(await some.toArray()));
    }
  }
  return found;
}

/** Whether a range has the media that were never accessed. */
const isOfNever = ([first]: readonly Filter<Media>[]) => first?.last_access_ts === null;

/** The ranges of an order after a position, in order; each as conditions. */
export function rangesOf(
  { field, direction }: Order,
  after: Position | undefined,
): readonly (readonly Filter<Media>[])[] {
  const beyond = direction === 1 ? '$gt' : '$lt';
  const from = direction === 1 ? '$gte' : '$lte';
  const rest = (value: number, id: string): Filter<Media>[] => [
    { [field]: { [from]: value } },
    { $or: [{ [field]: { [beyond]: value } }, { _id: { [beyond]: id } }] },
  ];
  if (field !== 'last_access_ts') {
    return [after ? rest(after.value ?? 0, after.id) : []];
  }
  const never = (id?: string): Filter<Media>[] => [
    { last_access_ts: null },
    ...(id === undefined ? [] : [{ _id: { [beyond]: id } }]),
  ];
  const all: Filter<Media>[] = [{ last_access_ts: { $gte: 0 } }];
  if (!after) return direction === 1 ? [never(), all] : [all, never()];
  if (after.value === null) return direction === 1 ? [never(after.id), all] : [never(after.id)];
  const others = rest(after.value, after.id);
  return direction === 1 ? [others] : [others, never()];
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
  for (let last = ''; ; ) {
    const some = await media
      .find(
        { state: 'deleting', _id: { $gt: last } },
        { sort: { _id: 1 }, limit: BATCH, projection: { _id: 1 } },
      )
      .toArray();
    const ids = some.map(({ _id }) => _id);
    const matching = media.find({ $and: [{ _id: { $in: ids } }, filter] }, { projection: { length: 1 } });
    if (ids.length > 0) found.push(...(await matching.toArray()));
    last = ids.at(-1) ?? last;
    if (ids.length < BATCH) return found;
  }
}

/** The media that a room shows and that match, in no particular order. */
async function mediaOfRoom(
  { media, rooms }: InventoryDeps,
  roomId: string,
  filter: Filter<Media>,
): Promise<Media[]> {
  const uris = await rooms.shownIn(roomId);
  if (!uris) throw refuse.invalidParam('The room shows more than 10,000 media');
  const keys = [...new Set(uris.flatMap(keyOf))];
  const found: Media[] = [];
  for (let from = 0; from < keys.length; from += BATCH) {
    const some = { _id: { $in: keys.slice(from, from + BATCH) } };
    found.push(...(await media.find({ $and: [some, filter, STORED] }).toArray()));
  }
  return found;
}

function compare(a: Position, b: Position): number {
  if (a.value === b.value) return compareCodePoints(a.id, b.id);
  return (a.value ?? -1) - (b.value ?? -1);
}
