import { openCollections } from '@steward/service';
import { Conflict, openSqliteStore, type Store } from '@steward/store';
import { createFakeClock, type FakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { idOf, seedAccount, type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { type StoreCall, watchedStore } from '../../fixtures/watched-store.ts';
import { collections as collectionList } from '../collections.ts';
import { deviceKey } from '../model/device.ts';
import { type Token, tokenDigest } from '../model/token.ts';
import { createLastSeen, type LastSeen } from './last-seen.ts';

/** How often a token's use from one address is recorded (client-plane.md 2.1). */
const INTERVAL_MS = 120_000;

const HOME = { address: '192.0.2.1', userAgent: 'browser' };
const WORK = { address: '192.0.2.2', userAgent: 'tool' };

let store: Store;
let collections: WritableCollections;
let clock: FakeClock;
let calls: StoreCall[];
let faults: unknown[];
let failing: boolean;
let lastSeen: LastSeen;
let token: Token;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  collections = await writableCollections(store);
  clock = createFakeClock();
  calls = [];
  faults = [];
  failing = false;
  const watched = watchedStore(store, (call) => {
    calls.push(call);
    if (failing) throw new Error('The store is unavailable');
  });
  await seedAccount(collections, 'alice', { logins: { secret: 'PHONE' } });
  await seedAccount(collections, 'admin', { admin: true });
  const found = await collections.tokens.findOne({ _id: tokenDigest('secret') });
  if (!found) throw new Error('The token is missing');
  token = found;
  const onFault = (error: unknown) => faults.push(error);
  lastSeen = createLastSeen({ ...(await openCollections(watched, collectionList)), clock, onFault });
});
afterEach(async () => {
  await lastSeen.close();
  await store.close();
});

const seen = async () => {
  const device = await collections.devices.findOne({ _id: deviceKey(idOf('alice'), 'PHONE') });
  const account = await collections.accounts.findOne({ _id: idOf('alice') });
  return { device: device?.last_seen_ts, ip: device?.last_seen_ip, account: account?.last_seen_ts };
};

it('stores the first use from an address immediately', async () => {
  const at = clock.now();
  await lastSeen.record(token, HOME);
  expect(await seen()).toEqual({ device: at, ip: HOME.address, account: at });
  clock.advance(1);
  await lastSeen.record(token, WORK);
  expect(await seen()).toEqual({ device: at + 1, ip: WORK.address, account: at + 1 });
});

it('batches repeated uses, one every two minutes', async () => {
  const start = clock.now();
  await lastSeen.record(token, HOME);
  calls = [];
  clock.advance(INTERVAL_MS - 1);
  expect(lastSeen.record(token, HOME)).toBeUndefined();
  await lastSeen.flush();
  expect(calls).toEqual([]);

  clock.advance(1);
  expect(lastSeen.record(token, HOME)).toBeUndefined();
  expect((await seen()).device).toBe(start);
  await lastSeen.flush();
  expect(await seen()).toEqual({
    device: start + INTERVAL_MS,
    ip: HOME.address,
    account: start + INTERVAL_MS,
  });
});

it('stores waiting uses when it is closed', async () => {
  await lastSeen.record(token, HOME);
  clock.advance(INTERVAL_MS);
  lastSeen.record(token, HOME);
  await lastSeen.close();
  expect((await seen()).device).toBe(clock.now());
});

it('records a use for the owner of a token, not for the user it acts as', async () => {
  await lastSeen.record({ ...token, owner: idOf('admin'), device_id: null }, HOME);
  expect(await seen()).toEqual({ device: null, ip: null, account: null });
  expect((await collections.accounts.findOne({ _id: idOf('admin') }))?.last_seen_ts).toBe(clock.now());
});

it('stores one connection per token and address, with its latest use', async () => {
  const at = clock.now();
  await lastSeen.record(token, HOME);
  await lastSeen.record({ ...token, owner: idOf('admin') }, WORK);
  clock.advance(INTERVAL_MS);
  lastSeen.record(token, { ...HOME, userAgent: 'another browser' });
  await lastSeen.flush();
  expect(await collections.connections.find({}, { sort: { ip: 1 } }).toArray()).toEqual([
    {
      _id: `${token._id} ${HOME.address}`,
      user_id: idOf('alice'),
      ip: HOME.address,
      user_agent: 'another browser',
      last_seen: at + INTERVAL_MS,
    },
    {
      _id: `${token._id} ${WORK.address}`,
      user_id: idOf('admin'),
      acting_as: idOf('alice'),
      ip: WORK.address,
      user_agent: WORK.userAgent,
      last_seen: at,
    },
  ]);
});

it('does not overwrite a later use from another process with an earlier one', async () => {
  const later = clock.now() + 1;
  const key = { _id: `${token._id} ${HOME.address}`, user_id: token.owner };
  await collections.connections.insertOne({
    ...key,
    ip: HOME.address,
    user_agent: 'later',
    last_seen: later,
  });
  await lastSeen.record(token, HOME);
  expect(await collections.connections.findOne(key)).toMatchObject({ user_agent: 'later', last_seen: later });
});

it('ignores the conflict when another process records the same first use', async () => {
  const conflicting = watchedStore(store, ({ collection }) => {
    if (collection === 'user.connections') throw new Conflict('_id');
  });
  const onFault = (error: unknown) => faults.push(error);
  const other = createLastSeen({ ...(await openCollections(conflicting, collectionList)), clock, onFault });
  await other.record(token, HOME);
  await other.close();
  expect(faults).toEqual([]);
});

it('does not recreate a deleted device', async () => {
  await collections.devices.deleteMany({});
  await lastSeen.record(token, HOME);
  expect(await collections.devices.countDocuments({})).toBe(0);
});

it('does not change the version of an account', async () => {
  await lastSeen.record(token, HOME);
  expect((await collections.accounts.findOne({ _id: idOf('alice') }))?.version).toBe(1);
});

it('reports an unavailable store, and does not fail the request', async () => {
  failing = true;
  await lastSeen.record(token, HOME);
  expect(faults).toHaveLength(1);
  failing = false;
  await lastSeen.record(token, WORK);
  expect((await seen()).ip).toBe(WORK.address);
});
