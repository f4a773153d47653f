import { openSqliteStore } from '@steward/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventDocument } from '../model/event-document.ts';
import { events } from '../model/event-document.ts';
import { readSelected } from './read-page.ts';

const ROOM = '!room:test';

/** The depths of events: in imported rooms several have the same, and arrival does not follow depth. */
const history = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 60 });

function documentAt(depth: number, index: number): EventDocument {
  return {
    _id: `$${index + 1}`,
    room_id: ROOM,
    room_version: '10',
    arrival: index + 1,
    depth,
    type: index % 3 === 0 ? 'matching' : 'other',
    sender: '@a:test',
    origin_server_ts: 0,
    received_ts: 0,
    json: '{}',
    bytes: 2,
    media: [],
  };
}

it('the pages contain every matching event once and in order, for any filter and page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.constantFrom('b', 'f'),
      fc.integer({ min: 1, max: 25 }),
      fc.boolean(),
      fc.nat({ max: 60 }),
      async (depths, direction, limit, all, until) => {
        const store = await openSqliteStore({ path: ':memory:' });
        const collection = await store.collection(events);
        const documents = depths.map(documentAt);
        await collection.insertMany([...documents, { ...documentAt(1, 98), room_id: '!other:test' }]);
        const expected = documents
          .filter(({ type, arrival = 0 }) => (all || type === 'matching') && arrival <= until)
          .toSorted((a, b) => a.depth - b.depth || (a.arrival ?? 0) - (b.arrival ?? 0))
          .map(({ _id }) => _id);
        if (direction === 'b') expected.reverse();
        const found: string[] = [];
        let from = direction === 'f' ? { depth: 0, arrival: 0 } : { depth: 9, arrival: 99 };
        for (;;) {
          const page = await readSelected(
            { events: collection },
            { roomId: ROOM, direction, from, limit, until },
            async (read) =>
              read.filter(({ type }) => all || type === 'matching').map((document) => ({ document })),
          );
          expect(page.events.length).toBeLessThanOrEqual(limit);
          found.push(...page.events.map(({ document }) => document._id));
          if (!page.end) break;
          from = page.end;
        }
        expect(found).toEqual(expected);
        await store.close();
      },
    ),
    { numRuns: 40 },
  );
});
