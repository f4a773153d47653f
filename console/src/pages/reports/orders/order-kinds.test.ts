import { describe, expect, it } from 'vitest';
import type { Case } from '../desk/case-orders.ts';
import { fieldsOf, mainTargetOf, type OrderDraft, type OrderKind, toOrder } from './order-kinds.ts';

const ME = '@me:test';
const EVENT_CASE = {
  kind: 'event',
  user_id: '@spammer:test',
  room_id: '!room:test',
  event_id: '$event',
  media_uri: null,
} as unknown as Case;
const MEDIA_CASE = {
  ...EVENT_CASE,
  kind: 'media',
  room_id: null,
  event_id: null,
  media_uri: 'mxc://test/abc',
} as Case;

const draft = (
  kind: OrderKind,
  texts: OrderDraft['texts'] = {},
  flags: OrderDraft['flags'] = {},
): OrderDraft => ({ kind, texts, flags });

describe('an order of a decision', () => {
  it('leaves to the server what it takes from the case', () => {
    expect(toOrder(draft('ban', { reason: ' Spam ' }), EVENT_CASE, ME)).toEqual({
      kind: 'ban',
      reason: 'Spam',
    });
    expect(mainTargetOf(draft('ban'), EVENT_CASE)).toBe('@spammer:test');
  });

  it('an order of a decision is incomplete while neither it nor the case says whom or what it concerns', () => {
    expect(toOrder(draft('kick'), MEDIA_CASE, ME)).toBeUndefined();
    expect(toOrder(draft('kick', { room_id: '!other:test' }), MEDIA_CASE, ME)).toBeDefined();
    expect(toOrder(draft('send_notice'), EVENT_CASE, ME)).toBeUndefined();
    // The event of the case is in its room.
    expect(toOrder(draft('redact_event', { room_id: '!other:test' }), EVENT_CASE, ME)).toBeUndefined();
  });

  it('has either a room or all of them', () => {
    const everywhere = draft('ban', { room_id: '!other:test' }, { everywhere: true });
    expect(toOrder(everywhere, MEDIA_CASE, ME)).toEqual({ kind: 'ban', rooms: 'all' });
  });

  it('states only flags that differ from what the server does without them', () => {
    expect(toOrder(draft('delete_room'), EVENT_CASE, ME)).toEqual({ kind: 'delete_room' });
    expect(toOrder(draft('delete_room', {}, { purge: false, block: true }), EVENT_CASE, ME)).toEqual({
      kind: 'delete_room',
      purge: false,
      block: true,
    });
  });

  it('quarantines the reported medium without an event', () => {
    expect(fieldsOf(draft('quarantine_media'), MEDIA_CASE)).toEqual([]);
    expect(toOrder(draft('quarantine_media'), MEDIA_CASE, ME)).toEqual({ kind: 'quarantine_media' });
  });

  it('an order of a decision is not given against the own account where the server refuses that', () => {
    expect(toOrder(draft('suspend', { user_id: ME }), EVENT_CASE, ME)).toBeUndefined();
    expect(toOrder(draft('kick', { user_id: ME }), EVENT_CASE, ME)).toBeDefined();
  });
});
