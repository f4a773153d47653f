import type { Comments } from '../openapi/comments.ts';
import type { OpenApiInfo } from '../openapi/document.ts';
import { exampleOf } from '../openapi/example.ts';
import { createSchemas, type Part, type Variants } from '../openapi/schema.ts';

const ASYNCAPI_VERSION = '3.0.0';

/** A way on which events reach programs. */
export interface Channel {
  /** Its name in the document. */
  readonly name: string;
  /** Null for addresses that receivers choose. `{type}` stands for the type of the event. */
  readonly address: string | null;
  readonly title: string;
  readonly description: string;
}

/**
 * Describes the events that a server sends as an AsyncAPI 3 document, derived from their descriptors. The same input gives the same
 * document, key for key.
 *
 * @param comments supplies the descriptions; see `readComments`
 */
export function asyncApi(
  info: OpenApiInfo,
  variants: Variants,
  channels: readonly Channel[],
  comments: Comments,
): object {
  const schemas = createSchemas([], comments, variants);
  const { $ref } = schemas.message(variants.message, 'output') as { readonly $ref: string };
  const union = $ref.slice($ref.lastIndexOf('/') + 1);
  const types = variants.types.map(({ value }) => value);
  const nameOf = (type: string) => schemas.variantName(type);
  const messages = Object.fromEntries(
    variants.types.map(({ value, payload }) => [
      value,
      {
        name: value,
        title: value,
        summary: comments(payload.typeName),
        payload: { $ref: `#/components/schemas/${nameOf(value)}` },
        examples: [
          {
            name: value,
            payload: exampleOf(
              { $ref: `#/components/schemas/${nameOf(value)}` },
              schemas.components,
              'output',
            ),
          },
        ],
      },
    ]),
  );
  return {
    asyncapi: ASYNCAPI_VERSION,
    info,
    defaultContentType: 'application/json',
    channels: Object.fromEntries(channels.map((channel) => [channel.name, describeChannel(channel, types)])),
    operations: Object.fromEntries(
      channels.map(({ name, title }) => [
        name,
        { action: 'send', channel: { $ref: `#/channels/${name}` }, summary: title },
      ]),
    ),
    components: {
      messages,
      schemas: {
        ...schemas.components,
        // Unlike in OpenAPI, a discriminator is the name of the property only.
        [union]: { ...schemas.components[union], discriminator: variants.discriminator },
      },
    },
  };
}

function describeChannel({ address, title, description }: Channel, types: readonly string[]): Part {
  return {
    address,
    title,
    description,
    messages: Object.fromEntries(types.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
    ...(address?.includes('{type}')
      ? { parameters: { type: { description: 'The type of the events.', enum: types } } }
      : {}),
  };
}
