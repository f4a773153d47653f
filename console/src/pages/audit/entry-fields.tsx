import { Code, Group, Stack, Text } from '@mantine/core';
import type { AuditEntry } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { type Field, Fields } from '../../ui/fields.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { TextLink } from '../../ui/link.tsx';
import { TaskLink } from '../../ui/links.tsx';
import { Time } from '../../ui/time.tsx';
import { Subject } from './subject.tsx';

const TOKEN_KINDS = [
  'device',
  'login_as',
  'automation_token',
  'session',
  'client',
  'shared_secret',
  'other',
] as const;

/** Who made a call, with what, about what, and what came of it. */
export function EntryFields({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const { ts, ended_ts: endedTs, actor, acting_as: user, status, errcode, attempts, task_id: task } = entry;
  const { targets, reason, device_id: device, address, request_id: request, number, hash, amends } = entry;
  const kind = TOKEN_KINDS.find((each) => each === entry.token_kind);
  const fields: (Field | false)[] = [
    [t('action'), <Code key="action">{entry.action}</Code>],
    [t('time'), <Time key="time" ms={ts} exact />],
    [
      t('actor'),
      actor === null ? (
        t('shared_secret')
      ) : (
        <Filtered key="actor" by={{ actor }}>
          <Subject id={actor} />
        </Filtered>
      ),
    ],
    user !== null && [t('acting_as'), <Subject key="acting_as" id={user} />],
    [t('token_kind'), kind === undefined ? entry.token_kind : t(`kind_${kind}`)],
    [t('reason'), reason === null ? t('no_reason') : <bdi key="reason">{reason}</bdi>],
    targets.length > 0 && [
      t('targets'),
      <Stack key="targets" gap={2}>
        {targets.map((target) => (
          <Filtered key={target} by={{ target }}>
            <Subject id={target} />
          </Filtered>
        ))}
      </Stack>,
    ],
    [t('status'), [status ?? t('not_ended'), errcode].filter((each) => each !== null).join(' ')],
    endedTs !== null && [t('took'), format.duration(Math.max(endedTs - ts, 0))],
    attempts > 1 && [t('attempts'), t('attempts_of', { attempts: format.number(attempts) })],
    task !== null && [t('task'), <TaskLink key="task" id={task} />],
    device !== null && [t('device'), <IdText key="device" id={device} />],
    [t('address'), address],
    [
      t('request_id'),
      <Filtered key="request" by={{ request_id: request }}>
        <IdText id={request} />
      </Filtered>,
    ],
    [t('number'), number === null ? t('no_number') : format.number(number)],
    hash !== null && [t('hash'), <IdText key="hash" id={hash} />],
    amends !== null && [
      t('amends'),
      <TextLink key="amends" from="/audit" search={(before) => ({ ...before, entry: amends })}>
        <bdi>{amends}</bdi>
      </TextLink>,
    ],
  ];
  return <Fields fields={fields.filter((each) => each !== false)} />;
}

interface FilteredProps {
  readonly by: Readonly<Record<string, string>>;
  readonly children: React.ReactNode;
}

/** A value, with a link to all entries that have it. */
function Filtered({ by, children }: FilteredProps) {
  const { t } = useTranslation('audit');
  const value = Object.values(by).join(' ');
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <Text span inherit style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
        {children}
      </Text>
      <TextLink
        from="/audit"
        search={({ entry }) => ({ ...by, entry })}
        fz="xs"
        style={{ whiteSpace: 'nowrap' }}
        aria-label={t('all_with', { value })}
      >
        {t('all')}
      </TextLink>
    </Group>
  );
}
