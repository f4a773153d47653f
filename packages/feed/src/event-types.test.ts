import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { expect, it } from 'vitest';
import { eventTypes, scopeOfEvent } from './event-types.ts';

it('knows the scope of every type', () => {
  expect(eventTypes.get('account.deactivated')?.scope).toBe(Scope.USERS_READ);
  expect(scopeOfEvent('room.created', {})).toBe(Scope.ROOMS_READ);
  expect(scopeOfEvent('of.later', {})).toBe(Scope.UNSPECIFIED);
});

it('requires for an unresolved request the scope of the event that it would have made', () => {
  const data = { action: 'media.delete_media', event_type: 'media.deleted', outcome: 'failed' };
  expect(scopeOfEvent('request.unresolved', data)).toBe(Scope.MEDIA_READ);
});
