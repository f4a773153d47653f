import type { HandlerContext } from '@connectrpc/connect';
import type { ImportMediaHashesRequest } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import { callId, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { type HashFileFormat, readHashFile } from '../../core/hashes/read-hash-file.ts';
import { bytesOf } from '../../core/upload-bytes.ts';
import { listHashes } from './list-hashes.ts';
import { readHashOptions } from './read-hash-options.ts';

/**
 * Adds the hashes of a file to the list of known-bad content. The file is read whole before the first is added.
 *
 * @throws refuse.tooLarge, or refuse.invalidParam for malformed CSV
 */
export async function importMediaHashes(
  deps: Deps,
  pieces: AsyncIterable<ImportMediaHashesRequest>,
  context: HandlerContext,
) {
  const iterator = pieces[Symbol.asyncIterator]();
  const { value: head, done } = await iterator.next();
  if (done) return { added: 0n, updated: 0n, failed: 0n, problems: [] };
  const { format = 'text', applyToExisting = false } = head;
  const file = await readHashFile(
    bytesOf(deps, iterator, head.data),
    format as HashFileFormat,
    readHashOptions(head),
  );
  const added = await listHashes(
    deps,
    file.hashes,
    requester(context).owner,
    applyToExisting,
    callId(context),
  );
  return {
    ...added,
    failed: BigInt(file.failed),
    problems: file.problems.map(({ line, problem }) => ({ line: BigInt(line), problem })),
  };
}
