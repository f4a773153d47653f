import {
  AccountExperimentalFeaturesSetSchema,
  DeviceDeletedSchema,
} from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import { TaskFailedSchema, TaskProgressedSchema } from '@steward/proto/steward/feed/v1/tasks_pb.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventTypes } from './event-types.ts';
import { payloadRules } from './payload-rules.ts';
import { MAX_PAYLOAD_BYTES, writePayload } from './write-payload.ts';

it('writes the names of the contract, integers as numbers, defaults, and no unset field with presence', () => {
  expect(writePayload(TaskProgressedSchema, { kind: 'a', done: 5n })).toBe('{"kind":"a","done":5}');
  expect(writePayload(TaskFailedSchema, {})).toBe('{"kind":"","done":0,"error":""}');
});

it('has at most 4 KiB, and says what was shortened', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 600 }), { maxLength: 300 });
  fc.assert(
    fc.property(texts, fc.string({ unit: 'binary' }), (items, text) => {
      const lists = writePayload(DeviceDeletedSchema, { userId: text, deviceIds: items });
      const features = Object.fromEntries(items.map((item) => [item, true]));
      const maps = writePayload(AccountExperimentalFeaturesSetSchema, { userId: text, features });
      for (const json of [lists, maps]) {
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
        expect(json).not.toContain(String.raw`\u0000`);
        expect(json.isWellFormed()).toBe(true);
      }
      const { device_ids: kept, truncated } = JSON.parse(lists);
      expect(truncated).toBe(kept.length < items.length);
    }),
  );
});

it.each(['\u0001', '\u{1F600}', '"', 'x'])(
  'has at most 4 KiB with all texts full of %j, in every type',
  (character) => {
    const text = character.repeat(600);
    for (const { type, payload } of eventTypes.values()) {
      const values = Object.fromEntries(payload.fields.map(({ localName }) => [localName, text]));
      const json = writePayload(payload, values);
      expect(Buffer.byteLength(json), type).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
      expect(json.isWellFormed(), type).toBe(true);
    }
  },
);

it('can say of each list and map that it was shortened, unless the contract bounds it', () => {
  for (const { type, payload } of eventTypes.values()) {
    const isBounded = payload.fields.every(
      (field) => (field.fieldKind !== 'list' && field.fieldKind !== 'map') || payloadRules(field).changed,
    );
    expect(isBounded || payload.fields.some((field) => payloadRules(field).truncated), type).toBe(true);
  }
});
