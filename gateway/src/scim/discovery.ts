import { GROUP_ATTRIBUTES, GROUP_SCHEMA } from './group-schema.ts';
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
  const kinds = [
    {
      name: 'User',
      description: 'An account of this server.',
      endpoint: '/Users',
      id: USER_SCHEMA,
      attributes: USER_ATTRIBUTES,
    },
    {
      name: 'Group',
      description: 'A group of accounts.',
      endpoint: '/Groups',
      id: GROUP_SCHEMA,
      attributes: GROUP_ATTRIBUTES,
    },
  ];
  const schemas = kinds.map(({ id, name, description, attributes }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...{ id, name, description, attributes },
    meta: meta('Schema', `Schemas/${id}`),
  }));
  const types = kinds.map(({ id: schema, name, description, endpoint }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    ...{ id: name, name, description, endpoint, schema },
    meta: meta('ResourceType', `ResourceTypes/${name}`),
  }));
  return {
    ServiceProviderConfig: config,
    Schemas: new Map(schemas.map((schema) => [schema.id, schema])),
    ResourceTypes: new Map(types.map((type) => [type.id, type])),
  };
}
