import 'i18next';
import type { messages as access } from '../messages/en/access.ts';
import type { messages as actions } from '../messages/en/actions.ts';
import type { messages as audit } from '../messages/en/audit.ts';
import type { messages as common } from '../messages/en/common.ts';
import type { messages as events } from '../messages/en/events.ts';
import type { messages as media } from '../messages/en/media.ts';
import type { messages as overview } from '../messages/en/overview.ts';
import type { messages as reports } from '../messages/en/reports.ts';
import type { messages as rooms } from '../messages/en/rooms.ts';
import type { messages as scopes } from '../messages/en/scopes.ts';
import type { messages as session } from '../messages/en/session.ts';
import type { messages as tasks } from '../messages/en/tasks.ts';
import type { messages as users } from '../messages/en/users.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: {
      access: typeof access;
      actions: typeof actions;
      audit: typeof audit;
      common: typeof common;
      events: typeof events;
      media: typeof media;
      overview: typeof overview;
      reports: typeof reports;
      rooms: typeof rooms;
      scopes: typeof scopes;
      session: typeof session;
      tasks: typeof tasks;
      users: typeof users;
    };
  }
}
