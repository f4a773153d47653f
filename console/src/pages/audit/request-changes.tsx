import { Alert, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { AuditEntry } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { TextLink } from '../../ui/link.tsx';
import { Note } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { type Former, fieldsOf, formerValues } from './former-values.ts';
import { ValueDiff } from './value-diff.tsx';

/** How far back the log is searched for what a request replaced: entries about the same target. */
const SEARCHED = 200;

/** What a request set, and before it, as far as the log knows. */
export function RequestChanges({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const { id, targets, outcome, request_truncated: truncated } = entry;
  const fields = fieldsOf(entry);
  const [target] = targets;
  const earlier = useRead(
    'audit.list',
    { from: id, limit: SEARCHED, outcome: 'ok', ...(target === undefined ? {} : { target }) },
    { enabled: target !== undefined && outcome === 'ok' },
  );
  const former = useMemo(() => formerValues(entry, earlier.data?.entries ?? []), [entry, earlier.data]);
  const names = Object.keys(fields).filter((name) => !targets.includes(String(fields[name])));
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('changes')}
      </Title>
      {truncated && (
        <Alert variant="outline" color="orange">
          {t('truncated')}
        </Alert>
      )}
      {outcome !== 'ok' && outcome !== 'unknown' && <Text size="sm">{t('not_changed')}</Text>}
      {names.length === 0 ? (
        <Note>{t('no_fields')}</Note>
      ) : (
        <Table withTableBorder layout="fixed" aria-label={t('changes')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="32%">{t('field')}</Table.Th>
              <Table.Th>{t('value')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {names.map((name) => (
              <Table.Tr key={name} style={{ verticalAlign: 'top' }}>
                <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                  <Code>{name}</Code>
                </Table.Th>
                <Table.Td>
                  <ValueDiff former={former.get(name)} value={fields[name]} />
                  <FormerSource former={former.get(name)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {former.size > 0 && (
        <Text size="xs" c="dimmed">
          {t('former_hint')}
        </Text>
      )}
    </Stack>
  );
}

function FormerSource({ former }: { readonly former: Former | undefined }) {
  const { t } = useTranslation('audit');
  if (former === undefined) return null;
  const { id, ts } = former.entry;
  return (
    <Group gap={4}>
      <TextLink from="/audit" search={(before) => ({ ...before, entry: id })} size="xs">
        {t('set_before')} <Time ms={ts} />
      </TextLink>
    </Group>
  );
}
