import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ExportAuditLogRequest,
  ExportAuditLogResponseSchema,
} from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { exportChain } from '../../core/chain/export-chain.ts';
import type { Deps } from '../../core/deps.ts';

/** The size from which lines are sent, in characters. */
const PIECE_LENGTH = 64 * 1024;

const HEADERS = {
  'content-type': 'application/x-ndjson',
  'content-disposition': 'attachment; filename="audit-log.ndjson"',
  'cache-control': 'private,no-store',
};

/** Streams a part of the chain as lines of JSON, as fast as the client reads them. */
export async function* exportAuditLog(
  deps: Deps,
  { fromNumber, toNumber }: ExportAuditLogRequest,
): AsyncGenerator<MessageInitShape<typeof ExportAuditLogResponseSchema>> {
  const lines = exportChain(deps, {
    from: fromNumber === undefined ? undefined : Number(fromNumber),
    to: toNumber === undefined ? undefined : Number(toNumber),
  });
  let text = '';
  let hasHead = false;
  for await (const line of lines) {
    if (!hasHead) yield { head: { status: 200, headers: HEADERS, openEnded: true } };
    hasHead = true;
    text += `${JSON.stringify(line)}\n`;
    if (text.length < PIECE_LENGTH) continue;
    yield { data: Buffer.from(text) };
    text = '';
  }
  if (text !== '') yield { data: Buffer.from(text) };
}
