import { call } from '../../api/call.ts';

/** How far an export is. */
export interface ExportProgress {
  readonly bytes: number;
  readonly lines: number;
}

/** What was exported. */
export interface Exported extends ExportProgress {
  /** The parts of the file, in order. */
  readonly parts: readonly Blob[];
  /** Whether the last line says that it is the end: without it the export is incomplete. */
  readonly ended: boolean;
}

/** Bytes are handed over to the browser in parts of this size: it keeps large ones on the disk, not in the page's memory. */
const PART_BYTES = 8_000_000;
const TAIL_BYTES = 8_192;
const LINE_FEED = 10;

/** Reads the export of the log as it arrives. */
export async function exportLog(
  range: { readonly from_number?: number; readonly to_number?: number },
  report: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<Exported> {
  const stream = await call('audit.export', range, { signal });
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let pending = 0;
  let bytes = 0;
  let lines = 0;
  const flush = () => {
    if (chunks.length > 0) parts.push(new Blob(chunks));
    chunks = [];
    pending = 0;
  };
  for await (const chunk of stream) {
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
    bytes += chunk.length;
    pending += chunk.length;
    for (const byte of chunk) if (byte === LINE_FEED) lines++;
    if (pending >= PART_BYTES) flush();
    report({ bytes, lines });
  }
  flush();
  return { bytes, lines, parts, ended: await endsWithEnd(parts) };
}

async function endsWithEnd(parts: readonly Blob[]): Promise<boolean> {
  const whole = new Blob([...parts]);
  const tail = await whole.slice(Math.max(whole.size - TAIL_BYTES, 0)).text();
  try {
    return (JSON.parse(tail.trimEnd().split('\n').at(-1) ?? '') as { kind?: unknown }).kind === 'end';
  } catch {
    return false;
  }
}
