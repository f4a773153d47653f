import { newIdempotencyKey } from '@steward/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Answer, Operation, Params } from '../client/operation.ts';
import { call } from './call.ts';
import { isUnknownOutcome } from './outcome.ts';
import { refreshAfter } from './refresh-after.ts';
import { useCan } from './use-can.ts';

/** An order: a call that changes something. */
export interface Order<O extends Operation> {
  /** Whether the user may give it. */
  readonly permitted: boolean;
  /** Whether it was sent and not answered. */
  readonly pending: boolean;
  /** Why the last one failed; `isUnknownOutcome` says whether it may have been carried out. */
  readonly error: Error | null;
  /**
   * Sends it. It is carried out once, however often it is repeated: by the client for some seconds, and when the user sends the same
   * again after no answer came. It is not kept until the network is back. Resolves after the lists that it changes are marked
   * as outdated.
   *
   * @param headers further headers, such as a precondition
   */
  readonly send: (
    params: Params<O>,
    reason?: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer<O>>;
  /** Forgets the last error. */
  readonly reset: () => void;
}

interface Sent<O extends Operation> {
  readonly params: Params<O>;
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** An order whose outcome is unknown: what it was, and its key. */
interface Unanswered {
  readonly sent: string;
  readonly key: string;
}

/** Gives orders with an operation. */
export function useOrder<O extends Operation>(operation: O): Order<O> {
  const can = useCan();
  const queries = useQueryClient();
  const unanswered = useRef<Unanswered>(undefined);
  const mutation = useMutation<Answer<O>, Error, Sent<O>>({
    mutationFn: async ({ params, reason, headers }) => {
      const sent = JSON.stringify([params, reason, headers]);
      const idempotencyKey = unanswered.current?.sent === sent ? unanswered.current.key : newIdempotencyKey();
      unanswered.current = undefined;
      try {
        return await call(operation, params, {
          idempotencyKey,
          ...(reason ? { reason } : {}),
          ...(headers ? { headers } : {}),
        });
      } catch (error) {
        if (isUnknownOutcome(error)) unanswered.current = { sent, key: idempotencyKey };
        throw error;
      }
    },
    // An order that waited for the network would be sent when its user has turned to something else.
    networkMode: 'always',
    retry: false,
    // Also after a failure: without an answer only a new read says what happened.
    onSettled: (_answer, error) => refreshAfter(queries, operation, error === null),
  });
  return {
    permitted: can(operation),
    pending: mutation.isPending,
    error: mutation.error,
    send: (params, reason, headers) => mutation.mutateAsync({ params, reason, headers }),
    reset: mutation.reset,
  };
}
