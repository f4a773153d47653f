import { z } from 'zod';
import { accountValidity } from './sections/account-validity.ts';
import { accounts } from './sections/accounts.ts';
import { admission } from './sections/admission.ts';
import { audit } from './sections/audit.ts';
import { bus } from './sections/bus.ts';
import { delegatedAuthentication } from './sections/delegated-authentication.ts';
import { feed } from './sections/feed.ts';
import { groups } from './sections/groups.ts';
import { logging } from './sections/logging.ts';
import { loginAs } from './sections/login-as.ts';
import { media } from './sections/media.ts';
import { monthlyActiveUsers } from './sections/monthly-active-users.ts';
import { notices } from './sections/notices.ts';
import { oidc } from './sections/oidc.ts';
import { passwords } from './sections/passwords.ts';
import { profiles } from './sections/profiles.ts';
import { publicRooms } from './sections/public-rooms.ts';
import { push } from './sections/push.ts';
import { quotas } from './sections/quotas.ts';
import { rateLimits } from './sections/rate-limits.ts';
import { registration } from './sections/registration.ts';
import { reports } from './sections/reports.ts';
import { retention } from './sections/retention.ts';
import { rooms } from './sections/rooms.ts';
import { scim } from './sections/scim.ts';
import { server } from './sections/server.ts';
import { services } from './sections/services.ts';
import { sessions } from './sections/sessions.ts';
import { shadowBan } from './sections/shadow-ban.ts';
import { statistics } from './sections/statistics.ts';
import { store } from './sections/store.ts';
import { support } from './sections/support.ts';
import { telemetry } from './sections/telemetry.ts';
import { uiAuth } from './sections/ui-auth.ts';
import { userDirectory } from './sections/user-directory.ts';
import { webhooks } from './sections/webhooks.ts';

/** The sections of the configuration, in the order of the reference. */
export const schema = z.strictObject({
  server: server.prefault({}),
  admission: admission.prefault({}),
  support: support.prefault({}),
  store: store.prefault({}),
  bus: bus.prefault({}),
  services: services.prefault({}),
  registration: registration.prefault({}),
  accounts: accounts.prefault({}),
  passwords: passwords.prefault({}),
  sessions: sessions.prefault({}),
  oidc: oidc.prefault({}),
  scim: scim.prefault({}),
  groups: groups.prefault({}),
  login_as: loginAs.prefault({}),
  account_validity: accountValidity.prefault({}),
  ui_auth: uiAuth.prefault({}),
  notices: notices.prefault({}),
  profiles: profiles.prefault({}),
  user_directory: userDirectory.prefault({}),
  public_rooms: publicRooms.prefault({}),
  shadow_ban: shadowBan.prefault({}),
  media: media.prefault({}),
  rooms: rooms.prefault({}),
  retention: retention.prefault({}),
  reports: reports.prefault({}),
  rate_limits: rateLimits.prefault({}),
  quotas: quotas.prefault({}),
  monthly_active_users: monthlyActiveUsers.prefault({}),
  delegated_authentication: delegatedAuthentication.prefault({}),
  audit: audit.prefault({}),
  feed: feed.prefault({}),
  webhooks: webhooks.prefault({}),
  push: push.prefault({}),
  statistics: statistics.prefault({}),
  logging: logging.prefault({}),
  telemetry: telemetry.prefault({}),
});
