import { create, toBinary } from '@bufbuild/protobuf';
import { type CopiedMessage, copiedEvent } from '@steward/events';
import { EnvelopeSchema } from '@steward/proto/steward/event/v1/envelope_pb.ts';
import { expect, it } from 'vitest';
import { FactsBefore } from './facts-before.ts';

function fact(type: string, aggregate: string, sequence: number): CopiedMessage {
  const id = `${type} ${sequence}`;
  const envelope = create(EnvelopeSchema, { id, type, aggregate, sequence: BigInt(sequence) });
  return {
    subject: `.${type}`,
    headers: {},
    data: Buffer.from(toBinary(EnvelopeSchema, envelope)).toString('base64'),
  };
}

it('selects the facts of changes that the documents contain', async () => {
  async function* facts() {
    yield fact('user.deactivated', '@alice:test', 3);
    yield fact('user.reactivated', '@alice:test', 4);
    yield fact('user.created', '@new:test', 1);
    yield fact('room.guest_access_withdrawn', '!room:test', 7);
    yield fact('room.member_changed', '!room:test', 8);
    yield fact('room.purged', '!gone:test', 1_700_000_000_000);
    yield fact('room.purged', '!room:test', 1_700_000_000_000);
    yield fact('audit.recorded', 'an attempt', 1);
  }
  const selection = await FactsBefore.read(facts());
  const documents = [
    { collection: 'user.accounts', document: { _id: '@alice:test', version: 3 } },
    { collection: 'user.accounts', document: { _id: '@bob:test', version: 9 } },
    { collection: 'room.rooms', document: { _id: '!room:test', arrival: 7 } },
  ];
  for (const each of documents) selection.see(each);
  expect([...selection.selected()].map((each) => copiedEvent(each).id)).toEqual([
    'user.deactivated 3',
    'room.guest_access_withdrawn 7',
    'room.purged 1700000000000',
    'audit.recorded 1',
  ]);
});
