import type { SubjectKind } from '../model/case.ts';
import { reportKey } from '../report-id.ts';

const KEY = /^(event|user|room|media)-([1-9]\d{0,15})$/;

/** The key of a report in the inbox: its kind, and the number of the documented report. */
export function inboxKey(kind: SubjectKind, number: number | bigint): string {
  return `${kind}-${number}`;
}

/** The kind of a report, and the key of the documented report; `undefined` if the text is not an inbox key. */
export function parseInboxKey(key: string): { kind: SubjectKind; report: string } | undefined {
  const [, kind, number] = KEY.exec(key) ?? [];
  return kind === undefined || number === undefined
    ? undefined
    : { kind: kind as SubjectKind, report: reportKey(BigInt(number)) };
}
