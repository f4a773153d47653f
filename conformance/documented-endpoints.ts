/** An endpoint that the specification names. */
export interface DocumentedEndpoint {
  readonly verb: string;
  /** With variables in braces; their names are not compared. */
  readonly path: string;
  readonly chapter: string;
}

/** Endpoints of one chapter, one per line: the verb and the path below the prefix. */
export interface Chapter {
  readonly chapter: string;
  readonly prefix: string;
  /** `(a|b)` matches either alternative. */
  readonly endpoints: string;
}

/** Parses the endpoints of chapters. */
export function endpointsOf(chapters: readonly Chapter[]): readonly DocumentedEndpoint[] {
  return chapters.flatMap(({ chapter, prefix, endpoints }) =>
    endpoints
      .trim()
      .split('\n')
      .flatMap(alternatives)
      .map((line) => {
        const [verb = '', path = ''] = line.trim().split(' ');
        return { verb, path: prefix + path, chapter };
      }),
  );
}

function alternatives(line: string): string[] {
  const match = /\(([^()]*)\)/.exec(line);
  if (!match) return [line];
  return (match[1] ?? '').split('|').flatMap((either) => alternatives(line.replace(match[0], either)));
}

const ADMIN = '/_service/admin';
const CLIENT = '/_proto/client';
const MEDIA = '/_proto/media';

/** Every endpoint of admin-api.md, of behaviour.md 13 and of client-plane.md, as far as it is served. */
export const documentedEndpoints = endpointsOf([
  {
    chapter: 'Shared-secret registration',
    prefix: ADMIN,
    endpoints: `
      (GET|POST) /v1/register`,
  },
  {
    chapter: 'User accounts',
    prefix: ADMIN,
    endpoints: `
      (GET|PUT) /v2/users/{user_id}
      GET /v2/users
      GET /v1/whois/{user_id}
      POST /v1/deactivate/{user_id}
      POST /v1/reset_password/{user_id}
      (GET|PUT) /v1/users/{user_id}/admin
      GET /v1/users/{user_id}/joined_rooms
      GET /v1/users/{user_id}/accountdata
      POST /v1/users/{user_id}/login
      (POST|DELETE) /v1/users/{user_id}/shadow_ban
      (GET|POST|DELETE) /v1/users/{user_id}/override_ratelimit
      GET /v1/username_available
      GET /v1/auth_providers/{provider}/users/{external_id}
      GET /v1/threepid/{medium}/users/{address}`,
  },
  {
    chapter: 'Devices and pushers',
    prefix: ADMIN,
    endpoints: `
      (GET|POST) /v2/users/{user_id}/devices
      POST /v2/users/{user_id}/delete_devices
      (GET|PUT|DELETE) /v2/users/{user_id}/devices/{device_id}
      GET /v1/users/{user_id}/pushers`,
  },
  {
    chapter: 'User media',
    prefix: ADMIN,
    endpoints: `
      (GET|DELETE) /v1/users/{user_id}/media`,
  },
  {
    chapter: 'Media administration',
    prefix: ADMIN,
    endpoints: `
      GET /v1/room/{room_id}/media
      POST /v1/media/(quarantine|unquarantine)/{server_name}/{media_id}
      POST /v1/room/{room_id}/media/quarantine
      POST /v1/quarantine_media/{room_id}
      POST /v1/user/{user_id}/media/quarantine
      POST /v1/media/(protect|unprotect)/{media_id}
      DELETE /v1/media/{server_name}/{media_id}
      POST /v1/media/delete
      POST /v1/media/{server_name}/delete
      POST /v1/purge_media_cache`,
  },
  {
    chapter: 'Statistics',
    prefix: ADMIN,
    endpoints: `
      GET /v1/statistics/users/media
      GET /v1/statistics/database/rooms
      GET /v1/statistics/overview
      GET /v1/statistics/history`,
  },
  {
    chapter: 'Server notices',
    prefix: ADMIN,
    endpoints: `
      POST /v1/send_server_notice
      PUT /v1/send_server_notice/{txn_id}`,
  },
  {
    chapter: 'History purge',
    prefix: ADMIN,
    endpoints: `
      POST /v1/purge_history/{room_id}
      POST /v1/purge_history/{room_id}/{event_id}
      GET /v1/purge_history_status/{purge_id}`,
  },
  {
    chapter: 'Event reports',
    prefix: ADMIN,
    endpoints: `
      GET /v1/event_reports
      (GET|DELETE) /v1/event_reports/{report_id}`,
  },
  {
    chapter: 'Rooms',
    prefix: ADMIN,
    endpoints: `
      GET /v1/rooms
      (GET|DELETE) /v1/rooms/{room_id}
      GET /v1/rooms/{room_id}/(members|state|messages|timestamp_to_event)
      (GET|PUT) /v1/rooms/{room_id}/block
      DELETE /v2/rooms/{room_id}
      GET /v2/rooms/{room_id}/delete_status
      GET /v2/rooms/delete_status/{delete_id}
      POST /v1/rooms/{room_id_or_alias}/make_room_admin
      (GET|DELETE) /v1/rooms/{room_id_or_alias}/forward_extremities
      GET /v1/rooms/{room_id}/context/{event_id}`,
  },
  {
    chapter: 'Versioning',
    prefix: ADMIN,
    endpoints: `
      GET /v1/server_version`,
  },
  {
    chapter: '13.1 Users',
    prefix: ADMIN,
    endpoints: `
      GET /v3/users
      PUT /v1/suspend/{user_id}
      GET /v1/users/{user_id}/(memberships|sent_invite_count|cumulative_joined_room_count)
      POST /v1/user/{user_id}/redact
      GET /v1/user/redact_status/{redact_id}
      POST /v1/users/{user_id}/_allow_cross_signing_replacement_without_uia
      GET /v1/search_users/{user_id}
      POST /v1/account_validity/validity
      (GET|PUT) /v1/experimental_features/{user_id}`,
  },
  {
    chapter: '13.2 Registration tokens',
    prefix: ADMIN,
    endpoints: `
      GET /v1/registration_tokens
      POST /v1/registration_tokens/new
      (GET|PUT|DELETE) /v1/registration_tokens/{token}`,
  },
  {
    chapter: '13.3 Federation destinations',
    prefix: ADMIN,
    endpoints: `
      GET /v1/federation/destinations
      GET /v1/federation/destinations/{destination}
      GET /v1/federation/destinations/{destination}/rooms
      POST /v1/federation/destinations/{destination}/reset_connection`,
  },
  {
    chapter: '13.4 Background updates and tasks',
    prefix: ADMIN,
    endpoints: `
      GET /v1/background_updates/status
      (GET|POST) /v1/background_updates/enabled
      POST /v1/background_updates/start_job
      GET /v1/scheduled_tasks`,
  },
  {
    chapter: '13.5 Rooms and events',
    prefix: ADMIN,
    endpoints: `
      POST /v1/join/{room_id_or_alias}
      GET /v1/rooms/{room_id}/hierarchy
      GET /v1/fetch_event/{event_id}`,
  },
  {
    chapter: '13.6 Media, reports',
    prefix: ADMIN,
    endpoints: `
      GET /v1/media/{server_name}/{media_id}
      GET /v1/media/quarantine_changes
      GET /v1/user_reports
      (GET|DELETE) /v1/user_reports/{report_id}`,
  },
  {
    chapter: 'Audit log',
    prefix: ADMIN,
    endpoints: `
      GET /v1/audit_log
      GET /v1/audit_log/verify
      GET /v1/audit_log/export
      (GET|POST) /v1/audit_log/checkpoints
      GET /v1/events
      (GET|POST) /v1/webhooks
      (GET|PUT|DELETE) /v1/webhooks/{id}
      POST /v1/webhooks/{id}/rotate_secret
      POST /v1/webhooks/{id}/test
      POST /v1/webhooks/{id}/replay
      GET /v1/webhooks/{id}/deliveries
      GET /v1/webhooks/{id}/deliveries/{delivery_id}
      POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay`,
  },
  {
    chapter: 'Bulk',
    prefix: ADMIN,
    endpoints: `
      POST /v1/bulk
      GET /v1/bulk/{task_id}`,
  },
  {
    chapter: 'Acting in rooms',
    prefix: ADMIN,
    endpoints: `
      POST /v1/rooms/{room_id}/(kick|ban|unban|invite|redact|state|send_notice)
      POST /v1/users/{user_id}/(ban|unban)
      GET /v1/room_orders/{task_id}`,
  },
  {
    chapter: 'Blocked rooms',
    prefix: ADMIN,
    endpoints: `
      GET /v1/blocked_rooms`,
  },
  {
    chapter: 'Server status',
    prefix: ADMIN,
    endpoints: `
      GET /v1/server/status`,
  },
  {
    chapter: 'Quotas',
    prefix: ADMIN,
    endpoints: `
      (GET|PUT) /v1/users/{user_id}/quotas`,
  },
  {
    chapter: 'Roles',
    prefix: ADMIN,
    endpoints: `
      (GET|POST) /v1/roles
      (GET|PUT|DELETE) /v1/roles/{name}
      (GET|PUT) /v1/users/{user_id}/roles
      (GET|POST|DELETE) /v1/me/totp
      POST /v1/me/totp/confirm
      POST /v1/me/totp/recovery_codes
      (GET|DELETE) /v1/users/{user_id}/totp
      (GET|POST) /v1/me/passkeys
      POST /v1/me/passkeys/challenge
      (PUT|DELETE) /v1/me/passkeys/{passkey_id}
      GET /v1/users/{user_id}/passkeys
      DELETE /v1/users/{user_id}/passkeys/{passkey_id}
      POST /v1/session/passkey
      POST /v1/session/step_up/passkey
      (POST|GET|DELETE) /v1/session
      POST /v1/session/step_up
      GET /v1/session/oidc
      GET /v1/session/oidc/{idp}
      GET /v1/session/oidc/{idp}/callback
      GET /v1/sessions
      DELETE /v1/sessions/{session_id}
      GET /v1/users/{user_id}/sessions
      DELETE /v1/users/{user_id}/sessions/{session_id}
      (GET|POST) /v1/tokens
      (GET|DELETE) /v1/tokens/{id}
      POST /v1/tokens/{id}/rotate
      (GET|POST) /v1/groups
      (GET|PUT|DELETE) /v1/groups/{id}
      GET /v1/groups/{id}/(members|plan)
      (PUT|DELETE) /v1/groups/{id}/members/{user_id}
      GET /v1/me
      GET /v1/users/{user_id}/encryption
      GET /v1/users/{user_id}/push_states
      GET /v1/(user_names|room_names)
      GET /v1/rooms/{room_id}/receipts`,
  },
  {
    chapter: 'Client plane 7.1 Discovery',
    prefix: '',
    endpoints: `
      GET ${CLIENT}/versions
      GET /.well-known/matrix/(client|support|server)
      GET /_proto/key/v2/server
      GET /_matrix/federation/v1/version
      GET /_matrix/federation/v1/openid/userinfo
      GET ${CLIENT}/(v3|r0)/capabilities`,
  },
  {
    chapter: 'Client plane 7.2 Login, logout, session',
    prefix: CLIENT,
    endpoints: `
      (GET|POST) /(v3|r0)/login
      POST /(v3|r0|v1)/refresh
      GET /(v3|r0)/login/sso/redirect
      GET /(v3|r0)/login/sso/redirect/{idp}
      GET /v3/login/sso/callback/{idp}
      GET /(v3|r0)/auth/m.login.sso/fallback/web
      POST /v3/login/sso/logout/{idp}
      POST /(v3|r0)/logout
      POST /(v3|r0)/logout/all
      GET /(v3|r0)/account/whoami`,
  },
  {
    chapter: 'Client plane 7.3 Registration',
    prefix: CLIENT,
    endpoints: `
      POST /(v3|r0)/register
      GET /(v3|r0)/register/available
      GET /v1/register/m.login.registration_token/validity`,
  },
  {
    chapter: 'Client plane 7.4 Account',
    prefix: CLIENT,
    endpoints: `
      POST /(v3|r0)/account/password
      POST /(v3|r0)/account/deactivate
      GET /(v3|r0)/password_policy
      GET /(v3|r0)/account/3pid
      POST /(v3|r0)/account/3pid/delete
      POST /(v3|r0)/account/3pid
      POST /(v3|r0)/account/3pid/(add|bind|unbind)
      POST /(v3|r0)/account/3pid/(email|msisdn)/requestToken
      POST /(v3|r0)/account/password/(email|msisdn)/requestToken
      POST /(v3|r0)/register/(email|msisdn)/requestToken
      GET /(v3|r0|unstable|api/v1)/admin/whois/{user_id}`,
  },
  {
    chapter: 'Client plane 7.5 Profile and user directory',
    prefix: CLIENT,
    endpoints: `
      GET /(v3|r0)/profile/{user_id}
      (GET|PUT) /(v3|r0)/profile/{user_id}/(displayname|avatar_url)
      DELETE /v3/profile/{user_id}/(displayname|avatar_url)
      (GET|PUT|DELETE) /v3/profile/{user_id}/{field}
      POST /(v3|r0)/user_directory/search`,
  },
  {
    chapter: 'Client plane 7.6 Devices, keys, pushers',
    prefix: CLIENT,
    endpoints: `
      GET /(v3|r0)/devices
      (GET|PUT|DELETE) /(v3|r0)/devices/{device_id}
      POST /(v3|r0)/delete_devices
      (GET|PUT|DELETE) /unstable/org.matrix.msc3814.v1/dehydrated_device
      POST /(v3|r0)/keys/(upload|query)
      POST /v3/keys/device_signing/upload
      GET /(v3|r0)/pushers
      GET /(v3|r0)/notifications
      POST /(v3|r0)/pushers/set`,
  },
  {
    chapter: 'Client plane 7.7 Account data, filters, push rules',
    prefix: CLIENT,
    endpoints: `
      (GET|PUT) /(v3|r0)/user/{user_id}/account_data/{type}
      (GET|PUT) /(v3|r0)/user/{user_id}/rooms/{room_id}/account_data/{type}
      POST /(v3|r0)/user/{user_id}/filter
      GET /(v3|r0)/user/{user_id}/filter/{filter_id}
      GET /(v3|r0)/pushrules
      GET /(v3|r0)/pushrules/
      GET /(v3|r0)/pushrules/global
      GET /(v3|r0)/pushrules/global/
      GET /(v3|r0)/voip/turnServer`,
  },
  {
    chapter: 'Client plane 12 Tags, push rules, other networks',
    prefix: CLIENT,
    endpoints: `
      GET /(v3|r0)/user/{user_id}/rooms/{room_id}/tags
      (PUT|DELETE) /(v3|r0)/user/{user_id}/rooms/{room_id}/tags/{tag}
      (GET|PUT|DELETE) /(v3|r0)/pushrules/global/{kind}/{rule_id}
      (GET|PUT) /(v3|r0)/pushrules/global/{kind}/{rule_id}/(enabled|actions)
      GET /(v3|r0)/thirdparty/protocols`,
  },
  {
    chapter: 'Client plane 12 Key claim, signatures, key backup',
    prefix: CLIENT,
    endpoints: `
      POST /(v3|r0)/keys/claim
      POST /(v3|r0)/keys/signatures/upload
      GET /(v3|r0)/keys/changes
      (GET|POST) /(v3|r0)/room_keys/version
      (GET|PUT|DELETE) /(v3|r0)/room_keys/version/{version}
      (GET|PUT|DELETE) /(v3|r0)/room_keys/keys
      (GET|PUT|DELETE) /(v3|r0)/room_keys/keys/{room_id}
      (GET|PUT|DELETE) /(v3|r0)/room_keys/keys/{room_id}/{session_id}`,
  },
  {
    chapter: 'Client plane 12 Timestamp lookup',
    prefix: CLIENT,
    endpoints: `
      GET /v1/rooms/{room_id}/timestamp_to_event`,
  },
  {
    chapter: 'Client plane 7.8 Rooms',
    prefix: CLIENT,
    endpoints: `
      POST /(v3|r0)/createRoom
      GET /(v3|r0)/joined_rooms
      POST /(v3|r0)/rooms/{room_id}/upgrade`,
  },
  {
    chapter: 'Client plane 7.9 Membership',
    prefix: CLIENT,
    endpoints: `
      POST /(v3|r0)/(join|knock)/{room_id_or_alias}
      POST /(v3|r0)/rooms/{room_id}/(join|invite|leave|kick|ban|unban|forget)`,
  },
  {
    chapter: 'Client plane 7.10 Events in rooms',
    prefix: CLIENT,
    endpoints: `
      PUT /(v3|r0)/rooms/{room_id}/send/{type}/{txn_id}
      (GET|PUT) /(v3|r0)/rooms/{room_id}/state/{type}
      (GET|PUT) /(v3|r0)/rooms/{room_id}/state/{type}/{state_key}
      GET /(v3|r0)/rooms/{room_id}/(state|members|joined_members|messages|initialSync)
      GET /(v3|r0)/rooms/{room_id}/(context|event)/{event_id}
      PUT /(v3|r0)/rooms/{room_id}/redact/{event_id}/{txn_id}
      POST /(v3|r0)/rooms/{room_id}/report/{event_id}
      GET /(v3|r0)/events
      POST /(v3|r0)/rooms/{room_id}/receipt/{type}/{event_id}
      POST /(v3|r0)/rooms/{room_id}/read_markers
      PUT /(v3|r0)/rooms/{room_id}/typing/{user_id}
      (GET|PUT) /(v3|r0)/presence/{user_id}/status`,
  },
  {
    chapter: 'Client plane 7.11 Aliases and room directory',
    prefix: CLIENT,
    endpoints: `
      (GET|PUT|DELETE) /(v3|r0)/directory/room/{alias}
      GET /(v3|r0)/rooms/{room_id}/aliases
      (GET|PUT) /(v3|r0)/directory/list/room/{room_id}
      (GET|POST) /(v3|r0)/publicRooms`,
  },
  {
    chapter: 'Move of media',
    prefix: ADMIN,
    endpoints: `
      POST /v1/media/move`,
  },
  {
    chapter: 'Cases of reports',
    prefix: ADMIN,
    endpoints: `
      GET /v1/reports
      GET /v1/(report_overviews|report_excerpts)
      GET /v1/reports/{report_id}
      GET /v1/reports/{report_id}/(reports|evidence)
      POST /v1/reports/{report_id}/(triage|escalate|reopen|assign|unassign|notes|severity|resolve)`,
  },
  {
    chapter: 'Activity of a user',
    prefix: ADMIN,
    endpoints: `
      GET /v1/users/{user_id}/activity`,
  },
  {
    chapter: 'Known-bad content',
    prefix: ADMIN,
    endpoints: `
      (GET|POST|DELETE) /v1/media/hashes
      POST /v1/media/hashes/import
      (GET|DELETE) /v1/media/hashes/{sha256}`,
  },
  {
    chapter: 'Inventory of media',
    prefix: ADMIN,
    endpoints: `
      GET /v1/media
      GET /v1/media/{server_name}/{media_id}/thumbnail
      POST /v1/media_orders/(quarantine|release|protect|unprotect|delete)`,
  },
  {
    chapter: 'Plans',
    prefix: ADMIN,
    endpoints: `
      POST /v1/plans`,
  },
  {
    chapter: 'Tasks and dead letters',
    prefix: ADMIN,
    endpoints: `
      GET /v1/tasks
      GET /v1/tasks/{task_id}
      POST /v1/tasks/{task_id}/cancel
      GET /v1/dead_letters
      POST /v1/dead_letters/{letter_id}/replay
      DELETE /v1/dead_letters/{letter_id}`,
  },
  {
    chapter: 'Client plane 7.12 Media',
    prefix: '',
    endpoints: `
      POST ${MEDIA}/(v3|r0|v1)/upload
      POST ${MEDIA}/v1/create
      PUT ${MEDIA}/(v3|r0|v1)/upload/{server_name}/{media_id}
      GET ${MEDIA}/(v3|r0|v1)/download/{server_name}/{media_id}
      GET ${MEDIA}/(v3|r0|v1)/download/{server_name}/{media_id}/{file_name}
      GET ${MEDIA}/(v3|r0|v1)/thumbnail/{server_name}/{media_id}
      GET ${MEDIA}/(v3|r0|v1)/config
      GET ${CLIENT}/v1/media/download/{server_name}/{media_id}
      GET ${CLIENT}/v1/media/download/{server_name}/{media_id}/{file_name}
      GET ${CLIENT}/v1/media/thumbnail/{server_name}/{media_id}
      GET ${CLIENT}/v1/media/config`,
  },
  {
    chapter: 'Client plane 12 Reports',
    prefix: CLIENT,
    endpoints: `
      POST /v3/users/{user_id}/report
      POST /v3/rooms/{room_id}/report`,
  },
  {
    chapter: 'Client plane 10.2 Sync',
    prefix: CLIENT,
    endpoints: `
      GET /(v3|r0)/sync`,
  },
  {
    chapter: 'Client plane 12 Messages between devices',
    prefix: CLIENT,
    endpoints: `
      PUT /(v3|r0)/sendToDevice/{type}/{txn_id}
      POST /unstable/org.matrix.msc3814.v1/dehydrated_device/{device_id}/events`,
  },
  {
    chapter: 'Client plane 12 Search',
    prefix: CLIENT,
    endpoints: `
      POST /(v3|r0)/search`,
  },
  {
    chapter: 'Client plane 12 OpenID tokens',
    prefix: CLIENT,
    endpoints: `
      POST /(v3|r0)/user/{user_id}/openid/request_token`,
  },
  {
    chapter: 'Client plane 12 Relations, threads and spaces',
    prefix: CLIENT,
    endpoints: `
      GET /v1/rooms/{room_id}/relations/{event_id}
      GET /v1/rooms/{room_id}/relations/{event_id}/{rel_type}
      GET /v1/rooms/{room_id}/relations/{event_id}/{rel_type}/{type}
      GET /v1/rooms/{room_id}/threads
      GET /v1/rooms/{room_id}/hierarchy
      GET /v1/room_summary/{room}`,
  },
]);
