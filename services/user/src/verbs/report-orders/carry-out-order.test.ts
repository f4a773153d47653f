import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { AccountOrder, ReportOrderService } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { idOf, seedAccount, type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';

const ALICE = idOf('alice');
const GIVEN = { requestedBy: idOf('root'), userId: ALICE } as const;

let store: Store;
let state: WritableCollections;
let service: TestService;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  state = await writableCollections(store);
  service = await startTestService({ store });
  await seedAccount(state, 'alice', { logins: { a1: 'A1' } });
});
afterEach(async () => {
  await service.close();
  await store.close();
});

const orders = () => service.client(ReportOrderService);
const alice = () => state.accounts.findOne({ _id: ALICE });

it('has the effect of an order once, so that a repeated one does not undo what was decided since', async () => {
  const order = { ...GIVEN, orderId: 'case-1.1.1', order: AccountOrder.SUSPEND };
  await orders().carryOutOrder(order);
  expect(await alice()).toMatchObject({ suspended: true });
  await service.client(ConditionService).suspend({ userId: ALICE, suspend: false });
  await orders().carryOutOrder(order);
  expect(await alice()).toMatchObject({ suspended: false });
  await orders().carryOutOrder({ ...order, orderId: 'case-1.2.1' });
  expect(await alice()).toMatchObject({ suspended: true });
});

it.each([
  [AccountOrder.LOCK, { locked: true, deactivated: false }],
  [AccountOrder.DEACTIVATE, { deactivated: true, erased: false }],
  [AccountOrder.ERASE, { deactivated: true, erased: true, displayname: null }],
] as const)('does what the endpoint does, for the order %i', async (order, expected) => {
  await orders().carryOutOrder({ ...GIVEN, orderId: 'a', order });
  await orders().carryOutOrder({ ...GIVEN, orderId: 'a', order });
  expect(await alice()).toMatchObject(expected);
});

it('checks an order without carrying it out', async () => {
  const check = { ...GIVEN, orderId: '', checkOnly: true, order: AccountOrder.SUSPEND };
  await orders().carryOutOrder(check);
  expect(await alice()).toMatchObject({ suspended: false });
  expect(await refusalOf(orders().carryOutOrder({ ...check, userId: idOf('nobody') }))).toBe('M_NOT_FOUND');
  expect(await refusalOf(orders().carryOutOrder({ ...check, userId: '@a:elsewhere' }))).toBe('M_UNKNOWN');
});

it('refuses an order about an account with a scope that its giver did not have, checked or carried out', async () => {
  const root = await seedAccount(state, 'root', { admin: true });
  await seedAccount(state, 'other', { admin: true });
  for (const checkOnly of [true, false]) {
    const order = { ...GIVEN, orderId: 'a', userId: root, order: AccountOrder.LOCK, checkOnly };
    const requesterScopes = { scopes: [Scope.USERS_WRITE] };
    expect(await refusalOf(orders().carryOutOrder({ ...order, requesterScopes }))).toBe('M_FORBIDDEN');
  }
  expect(await state.accounts.findOne({ _id: root })).toMatchObject({ locked: false });
});
