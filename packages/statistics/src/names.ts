/** What services count as it happens, by the service that does. */
export const COUNTS = {
  user: ['registrations', 'sign_ins', 'failed_sign_ins'],
  room: ['messages'],
  media: ['uploads'],
  moderation: ['reports'],
} as const;

/** A service that counts something. */
export type CountingService = keyof typeof COUNTS;

/** What a service counts. */
export type CountOf<S extends CountingService> = (typeof COUNTS)[S][number];

/** The present figures of services, by the service that has them. */
export const FIGURES = {
  user: [
    'accounts',
    'active_accounts',
    'locked_accounts',
    'suspended_accounts',
    'daily_active_users',
    'weekly_active_users',
    'monthly_active_users',
    'registrations_last_day',
    'failed_sign_ins_last_day',
  ],
  room: ['rooms', 'scheduled_tasks', 'active_tasks'],
  media: ['local_media', 'local_media_bytes', 'scheduled_tasks', 'active_tasks'],
  moderation: ['open_reports', 'scheduled_tasks', 'active_tasks'],
} as const;

/** A figure of a service. */
export type FigureOf<S extends CountingService> = (typeof FIGURES)[S][number];

/** All figures of a service. */
export type Figures<S extends CountingService> = Readonly<Record<FigureOf<S>, number>>;
