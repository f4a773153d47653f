import { endpointsOf } from './documented-endpoints.ts';

const V3 = '/_proto/client/v3';
const V1 = '/_proto/client/v1';
const MEDIA = '/_proto/media';

/** The endpoints of the client API, by the version of the specification that introduced them; those of v1.1 and before together. */
export const claimedEndpoints = endpointsOf([
  {
    chapter: 'v1.1',
    prefix: '',
    endpoints: `
      GET /.well-known/matrix/client
      GET /_proto/client/versions
      (GET|POST) ${V3}/login
      GET ${V3}/login/sso/redirect
      GET ${V3}/login/sso/redirect/{p}
      GET ${V3}/auth/m.login.sso/fallback/web
      POST ${V3}/logout
      POST ${V3}/logout/all
      POST ${V3}/register
      GET ${V3}/register/available
      POST ${V3}/account/password
      POST ${V3}/account/deactivate
      GET ${V3}/account/3pid
      POST ${V3}/account/3pid/delete
      GET ${V3}/account/whoami
      GET ${V3}/capabilities
      POST ${V3}/user/{u}/filter
      GET ${V3}/user/{u}/filter/{f}
      GET ${V3}/sync
      GET ${V3}/events
      GET ${V3}/rooms/{r}/event/{e}
      GET ${V3}/joined_rooms
      GET ${V3}/rooms/{r}/members
      GET ${V3}/rooms/{r}/joined_members
      GET ${V3}/rooms/{r}/state
      (GET|PUT) ${V3}/rooms/{r}/state/{t}
      (GET|PUT) ${V3}/rooms/{r}/state/{t}/{k}
      GET ${V3}/rooms/{r}/messages
      GET ${V3}/rooms/{r}/initialSync
      GET ${V3}/rooms/{r}/context/{e}
      PUT ${V3}/rooms/{r}/send/{t}/{x}
      PUT ${V3}/rooms/{r}/redact/{e}/{x}
      POST ${V3}/createRoom
      (GET|PUT|DELETE) ${V3}/directory/room/{a}
      GET ${V3}/rooms/{r}/aliases
      POST ${V3}/rooms/{r}/(invite|join|leave|forget|kick|ban|unban|upgrade|read_markers)
      POST ${V3}/(join|knock)/{r}
      (GET|PUT) ${V3}/directory/list/room/{r}
      (GET|POST) ${V3}/publicRooms
      POST ${V3}/user_directory/search
      GET ${V3}/profile/{u}
      (GET|PUT|DELETE) ${V3}/profile/{u}/(displayname|avatar_url)
      GET ${V3}/voip/turnServer
      PUT ${V3}/rooms/{r}/typing/{u}
      POST ${V3}/rooms/{r}/receipt/{t}/{e}
      (GET|PUT) ${V3}/presence/{u}/status
      POST ${MEDIA}/v3/upload
      PUT ${V3}/sendToDevice/{t}/{x}
      GET ${V3}/devices
      (GET|PUT|DELETE) ${V3}/devices/{d}
      POST ${V3}/delete_devices
      POST ${V3}/keys/(upload|query|claim)
      GET ${V3}/keys/changes
      POST ${V3}/keys/device_signing/upload
      POST ${V3}/keys/signatures/upload
      (GET|POST) ${V3}/room_keys/version
      (GET|PUT|DELETE) ${V3}/room_keys/version/{v}
      (GET|PUT|DELETE) ${V3}/room_keys/keys
      (GET|PUT|DELETE) ${V3}/room_keys/keys/{r}
      (GET|PUT|DELETE) ${V3}/room_keys/keys/{r}/{s}
      GET ${V3}/pushers
      POST ${V3}/pushers/set
      GET ${V3}/pushrules
      (GET|PUT|DELETE) ${V3}/pushrules/global/{k}/{i}
      (GET|PUT) ${V3}/pushrules/global/{k}/{i}/(enabled|actions)
      GET ${V3}/notifications
      POST ${V3}/search
      GET ${V3}/user/{u}/rooms/{r}/tags
      (PUT|DELETE) ${V3}/user/{u}/rooms/{r}/tags/{t}
      (GET|PUT) ${V3}/user/{u}/account_data/{t}
      (GET|PUT) ${V3}/user/{u}/rooms/{r}/account_data/{t}
      GET ${V3}/admin/whois/{u}
      POST ${V3}/rooms/{r}/report/{e}
      GET ${V3}/thirdparty/protocols
      POST ${V3}/user/{u}/openid/request_token`,
  },
  {
    chapter: 'v1.2',
    prefix: V1,
    endpoints: `
      GET /rooms/{r}/hierarchy
      GET /register/m.login.registration_token/validity`,
  },
  {
    chapter: 'v1.3',
    prefix: '',
    endpoints: `
      POST ${V3}/refresh
      GET ${V1}/rooms/{r}/relations/{e}
      GET ${V1}/rooms/{r}/relations/{e}/{l}
      GET ${V1}/rooms/{r}/relations/{e}/{l}/{t}`,
  },
  { chapter: 'v1.4', prefix: V1, endpoints: 'GET /rooms/{r}/threads' },
  { chapter: 'v1.6', prefix: V1, endpoints: 'GET /rooms/{r}/timestamp_to_event' },
  {
    chapter: 'v1.7',
    prefix: MEDIA,
    endpoints: `
      POST /v1/create
      PUT /v3/upload/{s}/{m}`,
  },
  { chapter: 'v1.10', prefix: '', endpoints: 'GET /.well-known/matrix/support' },
  {
    chapter: 'v1.11',
    prefix: V1,
    endpoints: `
      GET /media/config
      GET /media/download/{s}/{m}
      GET /media/download/{s}/{m}/{f}
      GET /media/thumbnail/{s}/{m}`,
  },
]);
