import { type Actor, path } from '@steward/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { type CollectedSpan, startSpanCollector } from './span-collector.ts';

const TOKEN = 'a token of the collector';
const ADMIN = '/_service/admin';

/** The span of the client that sends the requests. */
const CLIENT_SPAN = '00f067aa0ba902b7';

const collector = await startSpanCollector(TOKEN);
afterAll(() => collector.close());

/** The trace context of a client's trace. */
const contextOf = (trace: string) => ({
  traceparent: `00-${trace}-${CLIENT_SPAN}-00`,
  tracestate: 'vendor=opaque',
});

chapter(
  'Traces',
  (world, { isSplit }) => {
    let boss: Actor;

    beforeAll(async () => {
      boss = await world.user('boss', { admin: true });
    });

    /** The span of a trace with a name, once it was collected, and the spans above it, up to the first one. */
    const collected = async (traceId: string, name: string, durable?: string) => {
      const find = () =>
        collector.spans.find(
          (span) =>
            span.traceId === traceId &&
            span.name === name &&
            (durable === undefined || span.attributes['messaging.consumer.group.name'] === durable),
        );
      await expect.poll(find, { message: name }).toBeDefined();
      return find() as CollectedSpan;
    };
    const above = async (span: CollectedSpan) => {
      const find = () => collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
      await expect.poll(find, { message: `above ${span.name}` }).toBeDefined();
      return find() as CollectedSpan;
    };
    /** The name of the process that serves a service. */
    const processOf = (service: string) => (isSplit ? `steward-${service}` : 'steward');
    /** The span of the call that a request makes. */
    const callOf = async (trace: string, method: string, service: string) => {
      const atService = () =>
        collector.spans.find(
          ({ traceId, name, process }) =>
            traceId === trace && name === method && process === processOf(service),
        );
      await expect.poll(atService, { message: method }).toBeDefined();
      return atService() as CollectedSpan;
    };

    it('follow a request through its call and the store to the consumers of its fact', async () => {
      const victim = await world.user('victim');
      const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
      const reply = await boss.post(`${ADMIN}/v1${path`/deactivate/${victim.userId}`}`, {
        headers: contextOf(trace),
        body: {},
      });
      expect(reply.status).toBe(200);

      const request = await collected(trace, `POST ${ADMIN}/v1/deactivate/:user_id`);
      expect(request).toMatchObject({
        parentSpanId: CLIENT_SPAN,
        traceState: 'vendor=opaque',
        process: processOf('gateway'),
        attributes: { 'http.response.status_code': 200 },
      });
      const call = await callOf(trace, 'steward.user.v1.AccountService/Deactivate', 'user');
      // Between processes, the gateway records the call as well.
      const caller = isSplit ? await above(call) : call;
      expect(caller.parentSpanId).toBe(request.spanId);
      const commit = await collected(trace, 'findOneAndUpdate user.accounts');
      expect(commit).toMatchObject({ parentSpanId: call.spanId, process: processOf('user') });
      const publication = await collected(trace, 'publish user.deactivated');
      expect(publication).toMatchObject({ parentSpanId: call.spanId, process: processOf('user') });
      const handling = await collected(trace, 'process user.deactivated', 'room-accounts');
      expect(handling).toMatchObject({
        parentSpanId: publication.spanId,
        links: [{ traceId: trace, spanId: publication.spanId }],
        process: processOf('room'),
      });
    });

    it('link the attempts at a task to the request that created it', async () => {
      const { body } = await boss.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: {} });
      const trace = '0af7651916cd43dd8448eb211c80319c';
      const reply = await boss.delete(`${ADMIN}/v2${path`/rooms/${body.room_id}`}`, {
        headers: contextOf(trace),
        body: {},
      });
      expect(reply.status).toBe(200);
      const call = await callOf(trace, 'steward.room.v1.RoomDeletionService/BeginRoomDeletion', 'room');
      const task = await collected(trace, 'task room.delete');
      expect(task).toMatchObject({
        parentSpanId: call.spanId,
        links: [{ traceId: trace, spanId: call.spanId }],
        attributes: { 'steward.task.state': 'complete' },
      });
      const step = await collected(trace, 'deleteOne room.rooms');
      expect(step.parentSpanId).toBe(task.spanId);
      expect(collector.received()).not.toContain(body.room_id);
    });

    it('traces are counted', async () => {
      expect(await world.running.metrics()).toMatch(/^steward_traces_exported_total(?:\{.*\})? [1-9]/m);
    });

    it('contain no token, no id of a user, and no password', () => {
      const received = collector.received();
      for (const secret of [boss.token, boss.userId, boss.localpart, boss.password])
        expect(received).not.toContain(secret);
    });
  },
  {
    config: {
      telemetry: {
        traces: { endpoint: collector.endpoint, ratio: 1, headers: `Authorization: Bearer ${TOKEN}` },
      },
    },
  },
);
