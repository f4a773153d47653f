import { toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { authorityOver } from '@steward/rpc/testing';
import { openSqliteStore, type Store } from '@steward/store';
import type { RunningTask } from '@steward/tasks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BATCH_SIZE } from '../../core/change-quarantine.ts';
import { collections } from '../../core/collections.ts';
import type { Deps } from '../../core/deps.ts';
import { type Media, mediaKey } from '../../core/model/media.ts';
import { READABLE, UNPROTECTED } from '../../core/same-content.ts';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { carryOutOrder } from './carry-out-order.ts';
import { partsOfRoom, partsOfUser } from './selected-parts.ts';

const MANY = BATCH_SIZE + 1;

let store: Store;
let deps: Deps;
let created: Map<string, unknown>;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  created = new Map();
  const tasks = {
    find: async (id: string) => created.get(id),
    list: async () => [],
    createOnce: async (task: { readonly id: string }) => {
      created.set(task.id, task);
      return task.id;
    },
  };
  deps = await machineOn(store, { tasks });
});
afterEach(() => store.close());

const insert = async (...media: readonly Media[]) =>
  (await store.collection(collections.media)).insertMany(media);
const order = (fields: {
  readonly uris?: string[];
  readonly userId?: string;
  readonly requesterScopes?: { readonly scopes: readonly Scope[] };
}) => carryOutOrder(deps, { orderId: 'a', requestedBy: '@admin:test', uris: [], ...fields } as never);
const quarantined = async () =>
  (await deps.media.find({ quarantined_by: '@admin:test' }).toArray()).map(({ media_id: id }) => id).sort();

it('quarantines media with all of the same content, and leaves out those that are quarantined already', async () => {
  const earlier = { sha256: 'same', quarantined_by: '@other:test' };
  await insert(
    mediumOf('shown', { sha256: 'same' }),
    mediumOf('copy', { sha256: 'same', user_id: '@b:test' }),
    mediumOf('earlier', earlier),
    mediumOf('other', { sha256: 'other' }),
  );
  expect(await order({ uris: ['mxc://test/shown', 'mxc://test/gone', 'no uri'] })).toEqual({ taskIds: [] });
  expect(await quarantined()).toEqual(['copy', 'shown']);
  expect(await order({ uris: ['mxc://test/shown'] })).toEqual({ taskIds: [] });
  expect(await deps.quarantineChanges.countDocuments({})).toBe(2);
});

it('quarantines many media in a task that exists once', async () => {
  await insert(...Array.from({ length: MANY }, (_, n) => mediumOf(`m${n}`, { sha256: `h${n}` })));
  const first = await order({ userId: '@a:test' });
  expect(first.taskIds).toHaveLength(1);
  expect(await order({ userId: '@a:test' })).toEqual(first);
  expect([...created.values()]).toMatchObject([{ kind: 'media.quarantine_user', key: '@a:test' }]);
});

it('refuses an order for media that are not stored, or are protected', async () => {
  await insert(mediumOf('protected', { sha256: 'p', safe_from_quarantine: true }));
  const refusal = (uri: string) => order({ uris: [uri] }).catch(toRefusal);
  expect(await refusal('mxc://test/gone')).toMatchObject({ status: 404, errcode: 'M_NOT_FOUND' });
  expect(await refusal('mxc://test/protected')).toMatchObject({ status: 400, errcode: 'M_UNKNOWN' });
  expect(await quarantined()).toEqual([]);
});

it('leaves the content of stronger accounts out of orders and tasks about many media, and refuses it when it is named', async () => {
  deps = { ...deps, authority: authorityOver(new Map([['@root:test', [Scope.USERS_ERASE]]])) };
  await insert(
    mediumOf('shared', { sha256: 'shared', user_id: '@a:test' }),
    mediumOf('of_root', { sha256: 'shared', user_id: '@root:test' }),
    mediumOf('own', { sha256: 'own', user_id: '@a:test' }),
    mediumOf('unhashed', { sha256: null, user_id: '@root:test' }),
  );
  const weak = { requesterScopes: { scopes: [Scope.MEDIA_WRITE] } };
  const refused = [
    { uris: ['mxc://test/shared'] },
    { uris: ['mxc://test/own', 'mxc://test/of_root'] },
    { uris: ['mxc://test/unhashed'] },
    { userId: '@root:test' },
  ];
  for (const fields of refused)
    expect(await order({ ...fields, ...weak }).catch(toRefusal)).toMatchObject({
      status: 403,
      errcode: 'M_FORBIDDEN',
    });
  expect(await quarantined()).toEqual([]);
  const authority = authorityOver(new Map([['@root:test', [Scope.USERS_ERASE]]]), async () => ({
    admin: false,
    scopes: [Scope.MEDIA_WRITE],
  }));
  const rooms = { mediaOf: async () => ({ uris: ['mxc://test/shared', 'mxc://test/own'], next: null }) };
  const inTask = { ...deps, authority, rooms } as unknown as Deps;
  const task = { id: 'task', key: '@a:test', requestedBy: '@moderator:test' } as RunningTask;
  const own = { part: { keys: [mediaKey('test', 'own')] } };
  expect(await Array.fromAsync(partsOfUser(inTask, task, READABLE, null))).toMatchObject([own]);
  expect(await Array.fromAsync(partsOfRoom(inTask, task, UNPROTECTED, null))).toMatchObject([own]);
  await order({ userId: '@a:test', ...weak });
  expect(await quarantined()).toEqual(['own']);
  await order({ userId: '@a:test', requesterScopes: { scopes: [Scope.MEDIA_WRITE, Scope.USERS_ERASE] } });
  expect(await quarantined()).toEqual(['of_root', 'own', 'shared']);
});
