import { UserDeactivatedSchema } from '@steward/proto/steward/event/v1/user_pb.ts';
import { expect, it } from 'vitest';
import { declareFact } from './fact.ts';
import { outgoing } from './outgoing.ts';
import { receive } from './received.ts';

const deactivated = declareFact('user.deactivated', UserDeactivatedSchema);
const about = { id: 'e1', timeMs: 7, aggregate: '@a:test', sequence: 3, traceparent: '', requester: '' };

it('carries a fact to its receiver', () => {
  const event = outgoing(deactivated, { userId: '@a:test', erased: true }, about);
  const received = receive([deactivated], event, 2);
  expect(received).toMatchObject({ ...about, type: 'user.deactivated', deliveryCount: 2 });
  expect(received.fact).toMatchObject({ userId: '@a:test', erased: true });
});

it('refuses to receive a fact that was not subscribed to', () => {
  const event = { ...outgoing(deactivated, {}, about), type: 'user.created' };
  expect(() => receive([deactivated], event, 1)).toThrow('user.created');
});

it.each([{ id: '' }, { aggregate: '' }, { timeMs: 0.5 }, { sequence: 2 ** 53 }])('refuses %j', (wrong) => {
  expect(() => outgoing(deactivated, {}, { ...about, ...wrong })).toThrow(TypeError);
});
