import { ActionIcon, Group, Stack, Title } from '@mantine/core';
import type { AuditEntry } from '@steward/sdk';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Note, QueryState } from '../../ui/query-state.tsx';
import { usePhrase } from '../../ui/use-phrase.ts';
import { EntryFields } from './entry-fields.tsx';
import { Outcome } from './outcome.tsx';
import { RequestChanges } from './request-changes.tsx';

interface EntryPanelProps {
  readonly id: string;
  /** Closes the panel; without it the panel is in a dialog that has a title and a button of its own. */
  readonly onClose?: (() => void) | undefined;
}

/** The form of the ids of entries: another text is refused. */
const ENTRY_ID = /^\d{15}-[\w-]{1,64}$/;

/** All that an entry of the audit log records. */
export function EntryPanel({ id, onClose }: EntryPanelProps) {
  const { t } = useTranslation(['audit', 'common']);
  const possible = ENTRY_ID.test(id);
  // The list begins with this entry, if there is one.
  const query = useRead('audit.list', { from: id, limit: 1 }, { enabled: possible });
  return (
    <Stack gap="sm">
      {onClose !== undefined && (
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h4">
            {t('entry')}
          </Title>
          <ActionIcon variant="subtle" color="gray" onClick={onClose} aria-label={t('common:order.close')}>
            <X size={18} aria-hidden />
          </ActionIcon>
        </Group>
      )}
      {possible ? (
        <QueryState query={query} operation="audit.list">
          {({ entries: [entry] }) =>
            entry?.id === id ? <EntryDetails entry={entry} /> : <Note>{t('no_such_entry')}</Note>
          }
        </QueryState>
      ) : (
        <Note>{t('no_such_entry')}</Note>
      )}
    </Stack>
  );
}

function EntryDetails({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const phraseOf = usePhrase('actions');
  return (
    <>
      <Group gap="xs">
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {phraseOf(entry.action)}
        </Title>
        <Outcome entry={entry} />
      </Group>
      <EntryFields entry={entry} />
      <RequestChanges entry={entry} />
      <Title order={3} size="h5">
        {t('raw')}
      </Title>
      <JsonView label={t('raw')} value={entry} maxHeight="40vh" />
    </>
  );
}
