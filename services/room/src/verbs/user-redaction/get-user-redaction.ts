import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetUserRedactionRequest,
  GetUserRedactionResponseSchema,
} from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { isOpen, legacyState } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import { type FailedRedactions, REDACT_USER } from '../../core/user-redaction/user-redaction.ts';

/** Reports the progress of redacting a user's events (behaviour.md 13.1). */
export async function getUserRedaction(
  deps: Pick<Deps, 'tasks'>,
  { redactId }: GetUserRedactionRequest,
): Promise<MessageInitShape<typeof GetUserRedactionResponseSchema>> {
  const task = await deps.tasks.find(redactId);
  if (task?.kind !== REDACT_USER) throw refuse.notFound('There is no such redaction');
  const { state: status, ...failure } = legacyState(task);
  if (isOpen(task)) return { status };
  const failed: [string, string][] = [];
  for await (const part of deps.tasks.parts<FailedRedactions>(redactId)) failed.push(...Object.entries(part));
  return { status, ...failure, failedRedactions: JSON.stringify(Object.fromEntries(failed)) };
}
