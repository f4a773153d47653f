import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { GetOverviewResponseSchema } from '@steward/proto/steward/moderation/v1/statistics_pb.ts';
import type { Deps } from '../../core/deps.ts';
import {
  type FigureDeps,
  readServerFigures,
  type ServerFigures,
} from '../../core/statistics/read-server-figures.ts';

/** Returns the current figures of the server. */
export async function getOverview(
  deps: FigureDeps & Pick<Deps, 'clock'>,
): Promise<MessageInitShape<typeof GetOverviewResponseSchema>> {
  const figures = await readServerFigures(deps);
  const figure = (name: keyof ServerFigures) => optionalInt64(figures[name] ?? null);
  return {
    ts: BigInt(deps.clock.now()),
    accounts: figure('accounts'),
    activeAccounts: figure('active_accounts'),
    lockedAccounts: figure('locked_accounts'),
    suspendedAccounts: figure('suspended_accounts'),
    dailyActiveUsers: figure('daily_active_users'),
    weeklyActiveUsers: figure('weekly_active_users'),
    monthlyActiveUsers: figure('monthly_active_users'),
    rooms: figure('rooms'),
    localMedia: figure('local_media'),
    localMediaBytes: figure('local_media_bytes'),
    openReports: BigInt(figures.open_reports),
    scheduledTasks: figure('scheduled_tasks'),
    activeTasks: figure('active_tasks'),
    registrationsLastDay: figure('registrations_last_day'),
    failedSignInsLastDay: figure('failed_sign_ins_last_day'),
  };
}
