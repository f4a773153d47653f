import { outboxDeclaration } from '@steward/events';
import { idempotencyKeys } from '@steward/idempotency';
import { mediaCollections } from '@steward/media';
import { moderationCollections } from '@steward/moderation';
import { roomCollections } from '@steward/room';
import type { CollectionDeclaration, Doc } from '@steward/store';
import { userCollections } from '@steward/user';

/** The services that publish facts, and the audit log. */
const PUBLISHERS = ['user', 'room', 'media', 'moderation', 'audit'] as const;

/** The collections that a cluster distributes. A test finds those that are missing. */
export const shardedCollections: readonly Pick<CollectionDeclaration<Doc>, 'name' | 'shardKey'>[] = [
  ...[userCollections, roomCollections, mediaCollections, moderationCollections].flatMap((collections) =>
    Object.values(collections),
  ),
  ...PUBLISHERS.map(outboxDeclaration),
  idempotencyKeys,
].flatMap(({ name, shardKey }) => (shardKey === null ? [] : [{ name, shardKey: shardKey as '_id' }]));
