import type { Client } from '@connectrpc/connect';
import type { Binding } from '@steward/http';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import type { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { checkAccess, methodRules, parsePositions, WAIT_HEADER } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';
import { credential } from './access-token.ts';
import { clientOf } from './client-of.ts';
import { headerValue } from './header-value.ts';
import { queryOf } from './transcode.ts';

const WAIT_FOR = WAIT_HEADER.toLowerCase();

/** How much longer than its wait the call may take, in milliseconds. */
const SLACK_MS = 1_000;

const TIMEOUT_MS = methodRules(AuditService.method.awaitEntries).maxWaitMs + SLACK_MS;

/**
 * Creates what reads of administrators wait with, until the changes in their header `X-Steward-Wait-For` are in the feed and in
 * the audit log; for a limited time, after which they are answered anyway. Undefined for all other bindings.
 */
export function awaitChanges(
  { verb, rules }: Pick<Binding, 'verb' | 'rules'>,
  sessions: Client<typeof SessionService>,
  log: Client<typeof AuditService>,
): ((request: FastifyRequest) => Promise<void>) | undefined {
  if (verb !== 'GET' || rules.access !== Access.ADMIN) return undefined;
  return async (request) => {
    const sent = headerValue(request.headers[WAIT_FOR]);
    if (sent === undefined) return;
    const entryIds = [...parsePositions(sent)];
    const accessToken = credential(request, queryOf(request.raw.url ?? ''), rules.access);
    if (accessToken === undefined) return;
    try {
      // Strangers do not wait; the call refuses them.
      checkAccess(rules.access, rules, await sessions.authenticate({ accessToken, ...clientOf(request) }));
      await log.awaitEntries({ entryIds }, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      request.log.debug({ reqId: request.id, err: error }, 'a read did not wait for changes');
    }
  };
}
