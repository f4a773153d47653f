import { dueRuns, requireEngine } from '@steward/testing';
import { newSandbox } from '@steward/topology/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCommand, type Settings } from '../fixtures/processes.ts';
import {
  type ForkedEvent,
  type ForkedRoom,
  forkedSteps,
  insertForkedRoom,
  isShown,
} from './fixtures/forked-room.ts';
import { ALICE, BOB, onMove, recordsIn } from './fixtures/move.ts';

/** What it proves. */
const GUARDS = [
  'packages/migrate/src/reference/forks/',
  'services/room/src/core/visibility/',
  'services/room/src/import/',
];

/** How long all may take, in milliseconds. */
const LIMIT_MS = 5 * 60_000;

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

// biome-ignore lint/suspicious/noExplicitAny: any answer.
type Answer = any;

const idsOf = (events: Answer) => events.map(({ event_id }: Answer) => event_id).toSorted();

/** What the state groups of the old server say of an event, for a user. */
function expectedOf(room: ForkedRoom, event: ForkedEvent, userId: string): object | 'refused' {
  if (!isShown(room, event, userId)) return 'refused';
  const state = event.after.filter((id) => id !== undefined);
  const replaced = room.events.find(({ id }) => id === event.before[event.sets ?? -1]);
  const isReplacedShown = replaced && isShown(room, replaced, userId);
  return {
    state: [room.created, ...state].toSorted(),
    members: event.after
      .slice(1, 3)
      .filter((id) => id !== undefined)
      .toSorted(),
    replaces: isReplacedShown ? replaced.id : undefined,
  };
}

/**
 * Copies rooms whose histories fork at random, and compares what users see of each event with what the old server's state groups say.
 * An import of an export of them exports the same.
 */
function copiesForks(runs: number, settings: Settings) {
  const rooms: ForkedRoom[] = [];
  const serving: Settings = { ...settings, STEWARD_SERVER_NAME: 'localhost' };
  return onMove(
    async ({ data, yaml, start, exportTo, exported }) => {
      const { code, stderr } = await runCommand('migrate', {
        args: ['copy', '--from', yaml],
        settings: { ...serving, STEWARD_DATA: data },
      });
      expect(code, stderr).toBe(3);
      const folder = await exportTo(data, serving);
      const again = { STEWARD_SERVER_NAME: 'localhost', STEWARD_DATA: `${data}-again` };
      const imported = await runCommand('import', { args: [folder], settings: again });
      expect(imported.code, imported.stderr).toBe(0);
      expect(await exported(`${data}-again`)).toEqual(await recordsIn(folder));
      const { url } = await start(serving);
      const get = async (path: string, userId: string): Promise<Answer> => {
        const response = await fetch(`${url}/_matrix/client/v3/rooms/${path}`, {
          headers: { authorization: `Bearer token-of-${userId}` },
        });
        expect([200, 403, 404]).toContain(response.status);
        return response.ok ? response.json() : undefined;
      };
      for (const room of rooms)
        for (const event of room.events)
          for (const userId of [ALICE, BOB]) {
            const context = await get(`${room.id}/context/${event.id}?limit=0`, userId);
            const members = context && (await get(`${room.id}/members?at=${context.end}`, userId));
            const seen = context
              ? {
                  state: idsOf(context.state),
                  members: idsOf(members.chunk),
                  replaces: context.event.unsigned.replaces_state,
                }
              : 'refused';
            expect(seen, `${userId} ${event.id} of ${JSON.stringify(room, undefined, 1)}`).toEqual(
              expectedOf(room, event, userId),
            );
          }
    },
    (old) => {
      const { seed } = fc.readConfigureGlobal();
      let group = 0;
      for (const [index, steps] of fc
        .sample(forkedSteps, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
        .entries())
        rooms.push(insertForkedRoom(old, `forked${index}`, steps, () => ++group));
    },
  )();
}

describe('what users see of each event of a forked history is what the state groups of the old server say', () => {
  it(
    'in a data directory',
    () => copiesForks(dueRuns(60, 'copies of forked histories', GUARDS), {}),
    LIMIT_MS,
  );

  it.skipIf(mongo.url === undefined || nats.url === undefined)(
    `in a database of several servers: ${mongo.title}, ${nats.title}`,
    async () => {
      const sandbox = newSandbox({ mongo: mongo.url ?? '', nats: nats.url ?? '' });
      try {
        await copiesForks(
          dueRuns(30, 'copies of forked histories into MongoDB', GUARDS),
          sandbox.settings() as Settings,
        );
      } finally {
        await sandbox.drop();
      }
    },
    LIMIT_MS,
  );
});
