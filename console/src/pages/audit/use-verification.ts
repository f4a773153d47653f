import type { AuditFault, VerifyAuditLogResponse } from '@steward/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';

/** What a verification has found so far. */
export interface Findings {
  readonly entries: number;
  readonly first: number | null;
  readonly last: number | null;
  /** The hash of the last entry, which includes all before it. */
  readonly hash: string | null;
  readonly checkpoints: number;
  readonly signed: number;
  readonly unchained: number;
  readonly fault: AuditFault | null;
  readonly complete: boolean;
}

/** A verification of the whole log, part by part. */
export interface Verification {
  readonly running: boolean;
  readonly findings: Findings | undefined;
  readonly error: unknown;
  readonly start: () => void;
  readonly stop: () => void;
}

const NOTHING: Findings = {
  entries: 0,
  first: null,
  last: null,
  hash: null,
  checkpoints: 0,
  signed: 0,
  unchained: 0,
  fault: null,
  complete: false,
};

/** Verifies the log on the server from its first entry; ends with the page. */
export function useVerification(): Verification {
  const [findings, setFindings] = useState<Findings>();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  const stop = useCallback(() => abort.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const start = useCallback(async () => {
    abort.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    setRunning(true);
    setError(undefined);
    setFindings(undefined);
    try {
      let found = NOTHING;
      for (let next: number | undefined; ; ) {
        const part = await call('audit.verify', next === undefined ? {} : { from_number: next }, { signal });
        found = withPart(found, part);
        setFindings(found);
        next = part.next_number;
        if (part.complete || next === undefined) break;
      }
    } catch (refusal) {
      if (!signal.aborted) setError(refusal);
    } finally {
      if (abort.current?.signal === signal) setRunning(false);
    }
  }, []);
  return { running, findings, error, start: () => void start(), stop };
}

function withPart(found: Findings, part: VerifyAuditLogResponse): Findings {
  return {
    entries: found.entries + part.entries,
    first: found.first ?? part.first_number,
    last: part.last_number ?? found.last,
    hash: part.hash ?? found.hash,
    checkpoints: found.checkpoints + part.checkpoints,
    signed: found.signed + part.signed,
    unchained: part.unchained,
    fault: part.error,
    complete: part.complete,
  };
}
