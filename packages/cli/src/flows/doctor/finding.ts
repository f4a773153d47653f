/** What a check found. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do; null when nothing is to be done. */
  readonly remedy: string | null;
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail, remedy: null };
}

export function warn(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'warn', detail, remedy };
}

export function fail(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'fail', detail, remedy };
}
