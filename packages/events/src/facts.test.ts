import { file_steward_event_v1_audit } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { file_steward_event_v1_feed } from '@steward/proto/steward/event/v1/feed_pb.ts';
import { file_steward_event_v1_media } from '@steward/proto/steward/event/v1/media_pb.ts';
import { file_steward_event_v1_room } from '@steward/proto/steward/event/v1/room_pb.ts';
import { file_steward_event_v1_user } from '@steward/proto/steward/event/v1/user_pb.ts';
import { expect, it } from 'vitest';
import type { Fact } from './fact.ts';
import * as facts from './facts.ts';

it('names each message of the protos once, as the message is named', () => {
  const messages = [
    file_steward_event_v1_audit,
    file_steward_event_v1_feed,
    file_steward_event_v1_media,
    file_steward_event_v1_room,
    file_steward_event_v1_user,
  ].flatMap((file) => file.messages.map(({ name }) => name));
  const declared: readonly Fact[] = Object.values(facts);
  expect(declared.map(({ schema }) => schema.name).toSorted()).toEqual(messages.toSorted());
  const named = declared.map(({ type }) =>
    type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  expect(named).toEqual(declared.map(({ schema }) => schema.name));
});
