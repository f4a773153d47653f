import { type Collection, type Doc, openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPublicRooms } from '../../verbs/directory/find-public-rooms.ts';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { events } from '../model/event-document.ts';
import { rooms } from '../model/room.ts';
import { states } from '../model/state-document.ts';
import { parseEventFilter } from '../protocol/mod.ts';
import { SEES_ALL } from '../reading/client-events.ts';
import { membersOfSenders } from '../reading/members-of-senders.ts';
import { bundlesOf } from '../visibility/bundles.ts';
import type { ReadAccess } from '../visibility/read-access.ts';
import { matchingEvents } from '../visibility/select-events.ts';
import { visibilityOf } from '../visibility/visibility-of.ts';
import type { VisibleEvent } from '../visibility/visible-events.ts';
import { eventsByTime } from './events-by-time.ts';
import { readPage } from './read-page.ts';

const SORTS_OR_READS_ALL = /TEMP B-TREE FOR ORDER|^SCAN room\.\w+(?! USING)/m;
const ROOM = '!room:test';
const EVENT = {
  _id: '$a',
  room_id: ROOM,
  arrival: 7,
  sender: '@a:test',
  type: 'm.n',
  json: '{}',
  room_version: '10',
};

let store: Store;
let deps: Deps;
let plans: string[] = [];
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  deps = {
    events: explained(await store.collection(events)),
    states: explained(await store.collection(states)),
    rooms: explained(await store.collection(rooms)),
  } as unknown as Deps;
});
afterAll(() => store.close());
beforeEach(() => {
  plans = [];
});

/** A collection that records the plan of each `find`. */
function explained<T extends Doc>(collection: Collection<T>): Collection<T> {
  return new Proxy(collection, {
    get(target, name) {
      if (name === 'find') {
        return (...[filter, options]: Parameters<Collection<T>['find']>) => {
          plans.push(explain(target, filter, options).plan.join('\n'));
          return target.find(filter, options);
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function expectIndexed(index: RegExp): void {
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(SORTS_OR_READS_ALL);
  }
}

describe('an index serves', () => {
  it.each(['b', 'f'] as const)('pages of history (%s)', async (direction) => {
    const position = { depth: 5, arrival: 5 };
    await readPage(deps, { roomId: ROOM, direction, from: position, to: position, limit: 10, until: 9 });
    expectIndexed(/room\.events\/depth/);
  });

  it.each(['b', 'f'] as const)('the search for a time (%s)', async (direction) => {
    await eventsByTime(deps, { roomId: ROOM, until: 9, ts: 5, direction }, 10);
    expectIndexed(/room\.events\/time/);
  });

  it('the state at the arrival of events', async () => {
    const member = { membership: 'leave' } as never;
    await visibilityOf(
      deps,
      [EVENT as unknown as EventDocument],
      { roomId: ROOM, arrival: 9, member, room: {} },
      '@b:test',
    );
    expectIndexed(/room\.state\/history/);
    expect(plans).toHaveLength(5);
  });

  it('the events since the viewer joined, whose visibility no query decides', async () => {
    const member = { membership: 'join', arrival: 6 } as never;
    const viewing = { roomId: ROOM, arrival: 9, member, room: {} };
    const seen = await visibilityOf(deps, [EVENT as unknown as EventDocument], viewing, '@b:test');
    expect({ seen, plans }).toEqual({ seen: ['whole'], plans: [] });
  });

  it('the visibility of several pages, whose histories are read once', async () => {
    const member = { membership: 'leave' } as never;
    const viewing = { roomId: ROOM, arrival: 9, member, room: {} };
    const page = (arrival: number) => [{ ...EVENT, arrival } as unknown as EventDocument];
    await visibilityOf(deps, [...page(3), ...page(8)], viewing, '@b:test');
    plans = [];
    await visibilityOf(deps, page(5), viewing, '@b:test');
    // What remains is the search for the last join of a former member.
    expect(plans).toHaveLength(1);
  });

  it('the member events of senders', async () => {
    await membersOfSenders(deps, { roomId: ROOM, arrival: 9 }, ['@a:test', '@b:test']);
    expectIndexed(/room\.state\/(history|at)/);
  });

  it('the conditions of a filter on relations', async () => {
    const filter = parseEventFilter({ related_by_senders: ['@a:test'], related_by_rel_types: ['m.thread'] });
    await matchingEvents(deps, [EVENT as unknown as EventDocument], filter);
    expectIndexed(/room\.events\/relations/);
  });

  it('the summaries of what relates to the events of a page, with one query, and none where nothing does', async () => {
    const access = {
      roomId: ROOM,
      arrival: 9,
      room: { _id: ROOM },
      member: undefined,
    } as unknown as ReadAccess;
    const options = { access, userId: '@b:test', judgeReplaced: SEES_ALL };
    const shown = (_id: string, more: Partial<EventDocument>): VisibleEvent => ({
      document: { ...EVENT, _id, ...more } as unknown as EventDocument,
      isRedacted: false,
      membership: 'join',
    });
    await bundlesOf(deps, [shown('$a', { unrelated: true }), shown('$b', { unrelated: true })], options);
    expect(plans).toEqual([]);
    await bundlesOf(deps, [shown('$a', {}), shown('$b', {}), shown('$c', { unrelated: true })], options);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/room\.events\/(children|relations) /);
    expect(plans[0]).not.toMatch(/^SCAN room\.\w+(?! USING)/m);
  });

  it('threads by their newest reply, and the events that relate to one', async () => {
    const filter = { room_id: ROOM, thread_latest: { $gte: 1, $lte: 9 } };
    await deps.events.find(filter, { sort: { thread_latest: -1 }, limit: 10 }).toArray();
    const children = { redacted_by: null, relates_to: '$a', arrival: { $gt: 0, $lte: 9 } };
    await deps.events.find(children, { sort: { arrival: -1 }, limit: 10 }).toArray();
    expectIndexed(/room\.events\/(threads|children)/);
  });

  it.each(['b', 'f'] as const)('the directory (%s)', async (direction) => {
    await findPublicRooms(deps, { since: { direction, joinedMembers: 3, roomId: ROOM }, limit: 10 });
    await findPublicRooms(deps, { since: undefined, limit: 10 });
    expectIndexed(/room\.rooms\/directory/);
  });
});
