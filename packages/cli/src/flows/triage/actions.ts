import type { CallOptions, Client } from '@steward/sdk';
import { mediaOf, type Report } from './report.ts';

/** Something that can be done about a report. */
export interface Action {
  readonly label: string;
  readonly hint?: string;
  /** Whether it cannot be taken back, so that it is asked for once more. */
  readonly isFinal?: true;
  /** Does it; returns what was done. Doing it again changes nothing more. */
  readonly run: (client: Client, options: CallOptions) => Promise<string>;
}

/**
 * Returns what can be done about a report, apart from dismissing or leaving it.
 *
 * @param own who asks, against whom nothing is offered
 */
export function actionsOf(report: Report, own: string): readonly Action[] {
  return [
    ...eventActions(report),
    ...(report.target === own ? [] : userActions(report)),
    ...roomActions(report),
  ];
}

function eventActions({ event, room, target }: Report): readonly Action[] {
  if (event === null || room === null) return [];
  const media = mediaOf(event);
  const { sentTs } = event;
  return [
    ...(target !== null && sentTs !== null
      ? [
          {
            label: 'redact the event',
            hint: `what ${target} sent in that millisecond`,
            isFinal: true as const,
            run: async (client: Client, options: CallOptions) => {
              // The administrative API redacts by user, room and time; both times are exclusive.
              const window = { after_ts: sentTs - 1, before_ts: sentTs + 1 };
              const { redact_id: id } = await client.users.redact(
                { user_id: target, rooms: [room.id], ...window },
                options,
              );
              return `the redaction of the event is task ${id}`;
            },
          },
        ]
      : []),
    ...(media === undefined
      ? []
      : [
          {
            label: 'quarantine the media',
            hint: `${media.server}/${media.id}`,
            run: async (client: Client, options: CallOptions) => {
              await client.media.quarantine({ server_name: media.server, media_id: media.id }, options);
              return 'the media is quarantined';
            },
          },
        ]),
  ];
}

function userActions({ target }: Report): readonly Action[] {
  if (target === null) return [];
  return [
    {
      label: `lock ${target}`,
      hint: 'the account can do nothing until it is unlocked',
      run: async (client, options) => {
        await client.users.put({ user_id: target, locked: true }, options);
        return `${target} is locked`;
      },
    },
    {
      label: `suspend ${target}`,
      hint: 'the account may read and leave rooms only',
      run: async (client, options) => {
        await client.users.suspend({ user_id: target, suspend: true }, options);
        return `${target} is suspended`;
      },
    },
    {
      label: `deactivate ${target}`,
      isFinal: true,
      run: async (client, options) => {
        await client.users.deactivate({ user_id: target }, options);
        return `${target} is deactivated`;
      },
    },
  ];
}

function roomActions({ room }: Report): readonly Action[] {
  if (room === null) return [];
  return [
    {
      label: `block the room ${room.name ?? room.id}`,
      hint: 'no one can join it',
      run: async (client, options) => {
        await client.rooms.putBlock({ room_id: room.id, block: true }, options);
        return `${room.id} is blocked`;
      },
    },
  ];
}
