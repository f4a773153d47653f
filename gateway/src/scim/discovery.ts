import { MAX_COUNT } from './list-query.ts';
import { SCIM_PATH } from './scim-path.ts';
import { USER_ATTRIBUTES, USER_SCHEMA } from './user-schema.ts';

/** What the server tells about itself: documents by their path, relative to that of the service. */
export interface Discovery {
  readonly ServiceProviderConfig: object;
  readonly Schemas: ReadonlyMap<string, object>;
  readonly ResourceTypes: ReadonlyMap<string, object>;
}

/** Describes the service (RFC 7643, 5 to 7). */
export function discovery(base: string): Discovery {
  const meta = (resourceType: string, path: string) => ({
    resourceType,
    location: `${base}${SCIM_PATH}/${path}`,
  });
  const unsupported = { supported: false };
  const config = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: unsupported,
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Automation token',
        description: 'An automation token with the scope scim:write, in the header Authorization.',
        primary: true,
      },
    ],
    meta: meta('ServiceProviderConfig', 'ServiceProviderConfig'),
  };
  const schema = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: USER_SCHEMA,
    name: 'User',
    description: 'An account of this server.',
    attributes: USER_ATTRIBUTES,
    meta: meta('Schema', `Schemas/${USER_SCHEMA}`),
  };
  const type = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    description: 'An account of this server.',
    endpoint: '/Users',
    schema: USER_SCHEMA,
    meta: meta('ResourceType', 'ResourceTypes/User'),
  };
  return {
    ServiceProviderConfig: config,
    Schemas: new Map([[USER_SCHEMA, schema]]),
    ResourceTypes: new Map([['User', type]]),
  };
}
