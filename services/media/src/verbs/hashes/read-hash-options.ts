import type {
  AddMediaHashesRequest,
  ImportMediaHashesRequest,
} from '@steward/proto/steward/media/v1/hashes_pb.ts';
import { said } from '../../core/hashes/read-hash-file.ts';
import type { HashAction, HashValues } from '../../core/model/listed-hash.ts';

/** What a request says of all its hashes. */
export function readHashOptions({
  action = 'quarantine',
  openReport = false,
  source,
  note,
}: Pick<AddMediaHashesRequest | ImportMediaHashesRequest, 'action' | 'openReport' | 'source' | 'note'>): Omit<
  HashValues,
  'sha256'
> {
  return { action: action as HashAction, open_report: openReport, source: said(source), note: said(note) };
}
