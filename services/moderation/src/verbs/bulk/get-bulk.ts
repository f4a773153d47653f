import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { GetBulkRequest, GetBulkResponseSchema } from '@steward/proto/steward/moderation/v1/bulk_pb.ts';
import {
  BULK,
  type BulkCounts,
  type BulkParams,
  type BulkResult,
  type BulkResults,
  NO_RESULTS,
} from '../../core/bulk/bulk.ts';
import type { Deps } from '../../core/deps.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The place of a result. */
const TOKEN = /^[0-9]{1,9}$/;

/** Pieces have at most so many results, so that the piece of a place begins at most so much before it. */
const LARGEST_PIECE = 10;

/** Returns the progress of a bulk, and a page of the outcomes of its requests. */
export async function getBulk(
  deps: Pick<Deps, 'ownTasks'>,
  { taskId, from, limit: given }: GetBulkRequest,
): Promise<MessageInitShape<typeof GetBulkResponseSchema>> {
  const task = await deps.ownTasks.find(taskId);
  if (task?.kind !== BULK) throw refuse.notFound('There is no such bulk');
  if (from !== undefined && !TOKEN.test(from)) throw refuse.invalidParam("'from' is not a next_token");
  const { action, count } = JSON.parse(task.params) as BulkParams;
  const { done, failed } = (JSON.parse(task.result) as BulkCounts | null) ?? NO_RESULTS;
  const limit = Math.min(clampToSafe(given ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  const { results, next } = await readResults(deps, taskId, Number(from ?? 0), limit);
  return {
    ...{ taskId, status: task.state, method: action.method, path: action.path, error: task.error },
    ...{ total: BigInt(count), done: BigInt(done), failed: BigInt(failed) },
    results: results.map(({ status, ...result }) => ({
      ...result,
      ...(status === undefined ? {} : { status: BigInt(status) }),
    })),
    ...(next === undefined ? {} : { nextToken: String(next) }),
  };
}

async function readResults(
  { ownTasks }: Pick<Deps, 'ownTasks'>,
  taskId: string,
  begin: number,
  limit: number,
): Promise<{ readonly results: readonly BulkResult[]; readonly next?: number }> {
  const results: BulkResult[] = [];
  const parts = ownTasks.parts<BulkResults>(taskId, Math.max(0, begin - LARGEST_PIECE + 1));
  for await (const { first, results: of } of parts)
    for (const [index, result] of of.entries()) {
      const place = first + index;
      if (place < begin) continue;
      if (results.length === limit) return { results, next: place };
      results.push(result);
    }
  return { results };
}
