import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type {
  GetRoomOrderRequest,
  GetRoomOrderResponseSchema,
  RoomOrderResultSchema,
} from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import {
  FIRST_RESULTS,
  NO_RESULTS,
  type OrderCounts,
  type OrderResult,
  type OrderResults,
  ROOM_ORDER,
  type RoomOrderParams,
} from '../../core/orders/room-order.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** A place in the results: a piece, and how many of its results come before it. */
const TOKEN = /^([1-9][0-9]{0,8})\.([0-9]{1,4})$/;

/** Returns the progress of an order for many targets, and a page of their outcomes. */
export async function getRoomOrder(
  deps: Pick<Deps, 'tasks'>,
  request: GetRoomOrderRequest,
): Promise<MessageInitShape<typeof GetRoomOrderResponseSchema>> {
  const { taskId } = request;
  const task = await deps.tasks.find(taskId);
  if (task?.kind !== ROOM_ORDER) throw refuse.notFound('There is no such order');
  const { action, scope } = JSON.parse(task.params) as RoomOrderParams;
  const { done, unchanged, refused } = (JSON.parse(task.result) as OrderCounts | null) ?? NO_RESULTS;
  const { results, nextToken } = await readResults(deps, request);
  const of =
    'room' in scope ? { roomId: scope.room } : { userId: scope.user, space: scope.space ?? undefined };
  return {
    ...{ taskId, action, status: task.state, ...of, error: task.error, nextToken },
    ...{ processed: BigInt(task.done), total: BigInt(Math.max(task.total, task.done)) },
    ...{ done: BigInt(done), unchanged: BigInt(unchanged), refused: BigInt(refused) },
    results: results.map((result) => present(result, action)),
  };
}

interface ResultPage {
  readonly results: readonly OrderResult[];
  readonly nextToken?: string;
}

async function readResults(
  { tasks }: Pick<Deps, 'tasks'>,
  { taskId, from, limit: given }: GetRoomOrderRequest,
): Promise<ResultPage> {
  const limit = Math.min(clampToSafe(given ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  const [first, skipped] = readToken(from);
  const results: OrderResult[] = [];
  for await (const { number, results: of } of tasks.parts<OrderResults>(taskId, first)) {
    const begin = number === first ? skipped : 0;
    for (const [index, result] of of.entries()) {
      if (index < begin) continue;
      if (results.length === limit) return { results, nextToken: `${number}.${index}` };
      results.push(result);
    }
  }
  return { results };
}

/** @throws refuse.invalidParam */
function readToken(from: string | undefined): readonly [number: number, skipped: number] {
  if (from === undefined) return [FIRST_RESULTS, 0];
  const [, number, skipped] = TOKEN.exec(from) ?? [];
  if (number === undefined) throw refuse.invalidParam("'from' is not a next_token");
  return [Number(number), Number(skipped)];
}

function present(
  { target, ...result }: OrderResult,
  action: RoomOrderParams['action'],
): MessageInitShape<typeof RoomOrderResultSchema> {
  return { ...result, ...(action === 'redact' ? { redacts: target } : { userId: target }) };
}
