import { OPERATION_SCOPES } from '@steward/sdk/scopes';
import { useCallback } from 'react';
import type { Operation } from '../client/operation.ts';
import { useMe } from '../session/use-session.ts';

/** Whether the user may call an operation, with fields that require further scopes. */
export type Can = (operation: Operation, ...furtherScopes: readonly string[]) => boolean;

/** What the user may do. Nothing is requested or offered that the server would refuse. */
export function useCan(): Can {
  const { scopes } = useMe();
  return useCallback(
    (operation, ...further) =>
      [...(OPERATION_SCOPES[operation] ?? []), ...further].every((scope) => scopes.includes(scope)),
    [scopes],
  );
}
