import { auditRecorded, type Bus, declareFact, outgoing } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { type Media, media, mediumOf } from '@steward/media/testing';
import { RoomPurgedSchema } from '@steward/proto/steward/event/v1/room_pb.ts';
import { tasks } from '@steward/room/testing';
import type { Store } from '@steward/store';
import type { Seed } from '@steward/testing';
import {
  type Account,
  accounts,
  newToken,
  type Token,
  tokenDigest,
  tokens,
  withDerived,
} from '@steward/user/testing';

/** Long after every test. */
const FAR_AWAY_MS = Date.UTC(2100, 0);

/** Writes data to the store and the bus of a server that no request can create yet. */
export async function seedThrough(store: Store, openBus: () => Promise<Bus>): Promise<Seed> {
  const accountsOf = await store.collection<Account>(accounts);
  const mediaOf = await store.collection<Media>(media);
  const tokensOf = await store.collection<Token>(tokens);
  const accountOf = async (userId: string) => {
    const account = await accountsOf.findOne({ _id: userId });
    if (!account) throw new Error(`There is no account ${userId}`);
    return account;
  };
  return {
    async token({ userId, validUntilMs }) {
      const token = newToken(systemRandom);
      const { sessions } = await accountOf(userId);
      await tokensOf.insertOne({
        _id: tokenDigest(token),
        user_id: userId,
        owner: userId,
        device_id: null,
        epoch: sessions.epoch,
        created_ts: 0,
        valid_until_ms: validUntilMs ?? null,
      });
      return token;
    },
    async media({ origin, mediaId, userId, createdTs, lastAccessTs, length, type, uploadName, sha256 }) {
      await mediaOf.insertOne(
        mediumOf(mediaId, {
          origin,
          user_id: userId ?? null,
          created_ts: createdTs,
          length,
          type: type ?? 'application/octet-stream',
          upload_name: uploadName ?? null,
          sha256: sha256 ?? null,
          last_access_ts: lastAccessTs ?? null,
          ...(userId === undefined ? {} : { uncounted: true }),
        }),
      );
    },
    async task({ id, kind, target, requestedBy, step = '' }) {
      const tasksOf = await store.collection(tasks.tasks);
      await tasksOf.insertOne({
        _id: id,
        kind,
        key: target,
        params: '{}',
        requested_by: requestedBy,
        state: 'active',
        step,
        cursor: 'null',
        done: 0,
        total: 0,
        result: 'null',
        attempt: 1,
        owner: 'elsewhere',
        token: 1,
        due: FAR_AWAY_MS,
        created_ts: 1,
        started_ts: 2,
        order: 1,
      });
    },
    async brokenConsumer(name, { ofAuditLog = false } = {}) {
      const bus = await openBus();
      // A fact that no other consumer subscribes to.
      const ofTest = declareFact(`test.${name.replaceAll('-', '_')}`, RoomPurgedSchema);
      const fact = ofAuditLog ? auditRecorded : ofTest;
      const published = new Set<string>();
      const handled: string[] = [];
      let isRepaired = false;
      await bus.subscribe({
        durable: name,
        facts: [fact],
        maxDeliveries: 1,
        handler: async ({ id }) => {
          if (!published.has(id)) return;
          if (!isRepaired) throw new Error('It is broken');
          handled.push(id);
        },
      });
      return {
        handled,
        publish(id, aggregate) {
          published.add(id);
          const meta = { id, timeMs: 5, aggregate, sequence: 1, traceparent: '', requester: '@admin:test' };
          return bus.publish(
            ofAuditLog ? outgoing(auditRecorded, { entryId: id }, meta) : outgoing(ofTest, {}, meta),
          );
        },
        repair: () => {
          isRepaired = true;
        },
      };
    },
    async account(userId, fields) {
      const { _id, version, pending, ...rest } = withDerived({ ...(await accountOf(userId)), ...fields });
      await accountsOf.updateOne({ _id }, { $set: rest, $inc: { version: 1 } });
    },
  };
}
