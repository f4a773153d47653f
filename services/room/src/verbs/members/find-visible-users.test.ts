import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { VisibilityService } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import { expect, it } from 'vitest';
import { noMember } from '../../core/model/member.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { collectionsOf } from '../../fixtures/recount.ts';

const SEARCHER = '@searcher:test';

it('finds every visible user, even if one candidate is in more rooms than a query reads', async () => {
  const { store, service } = await oneService();
  const room = async (creator: string, body: object) =>
    (await service.client(RoomService, creator).createRoom(body)).roomId;
  await room('@open:test', { preset: 'public_chat' });
  await room('@shown:test', {
    initialState: [
      JSON.stringify({
        type: 'm.room.history_visibility',
        content: { history_visibility: 'world_readable' },
      }),
    ],
  });
  await room('@hidden:test', {});
  const roomId = await room('@shared:test', { invite: [SEARCHER] });
  await service.client(MembershipService, SEARCHER).joinRoom({ roomId });
  const { members } = await collectionsOf(store);
  // Sorted between the others by id, and in more rooms than a query reads.
  const memberships = Array.from({ length: 2_500 }, (_, n) => ({
    ...noMember(`!${n}:test`, '@often:test', 'test'),
    membership: 'join',
  }));
  await members.insertMany(memberships);

  const candidates = ['hidden', 'often', 'open', 'shared', 'shown', 'unknown'].map((name) => `@${name}:test`);
  const visibility = service.client(VisibilityService, SEARCHER);
  const { userIds } = await visibility.findVisibleUsers({ searcher: SEARCHER, candidates });
  expect(userIds.toSorted()).toEqual(['@open:test', '@shared:test', '@shown:test']);
  const tooMany = Array.from({ length: 1_001 }, (_, n) => `@${n}:test`);
  await expect(visibility.findVisibleUsers({ searcher: SEARCHER, candidates: tooMany })).rejects.toThrow();
});
