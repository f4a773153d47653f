import { describe, expect, it } from 'vitest';
import { readContentUri, readEvent } from './room-event.ts';

describe('an event', () => {
  it.each([null, 'text', 3, [], {}, { content: [], unsigned: 'x', sender: {} }])(
    'of a wrong form has no fields: %j',
    (source) => {
      expect(readEvent(source)).toEqual({
        id: '',
        type: '',
        sender: '',
        ms: undefined,
        stateKey: undefined,
        content: {},
        redaction: undefined,
        orderedBy: undefined,
        replaces: undefined,
        source,
      });
    },
  );

  it('says that it is redacted, by whom and why', () => {
    const because = { sender: '@a:test', content: { reason: 'spam' } };
    expect(readEvent({ unsigned: { redacted_because: because } }).redaction).toEqual({
      sender: '@a:test',
      reason: 'spam',
    });
    expect(readEvent({ unsigned: { redacted_by: '$b' } }).redaction).toEqual({
      sender: undefined,
      reason: undefined,
    });
  });

  it('names the event whose text it replaces', () => {
    const edit = { content: { 'm.relates_to': { rel_type: 'm.replace', event_id: '$a' } } };
    const reply = { content: { 'm.relates_to': { rel_type: 'm.thread', event_id: '$a' } } };
    expect([edit, reply].map((event) => readEvent(event).replaces)).toEqual(['$a', undefined]);
  });
});

it.each([
  ['mxc://example.org:8448/AbC_-9', { server: 'example.org:8448', mediaId: 'AbC_-9' }],
  ['mxc://example.org/../x', undefined],
  ['https://example.org/a', undefined],
  ['mxc://a b/c', undefined],
  [{}, undefined],
])('the content URI %j is read as %j', (uri, read) => expect(readContentUri(uri)).toEqual(read));
