import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ReportProcessRequest,
  ReportProcessResponseSchema,
} from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Keeps the report of a process, or removes it when the process ends. */
export async function reportProcess(
  { server }: Pick<Deps, 'server'>,
  { process, ended }: ReportProcessRequest,
): Promise<MessageInitShape<typeof ReportProcessResponseSchema>> {
  if (process) await (ended ? server.processes.remove(process) : server.processes.record(process));
  return {};
}
