import { Alert, Button, Group, NumberInput, Progress, Stack, Text, Title } from '@mantine/core';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { ErrorNotice } from '../../ui/errors/error-notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { type Exported, type ExportProgress, exportLog } from './export-stream.ts';

const WHOLE = 100;

/** Saves the log, or a part of it, with what is needed to verify it without the server. */
export function LogExport() {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const [from, setFrom] = useState<number | string>('');
  const [to, setTo] = useState<number | string>('');
  const [progress, setProgress] = useState<ExportProgress>();
  const [done, setDone] = useState<Exported>();
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  // The newest entries may have no number yet.
  const newest = useRead('audit.list', { limit: 20 });
  const last = newest.data?.entries.find(({ number }) => number !== null)?.number ?? undefined;
  const expected = (Number(to) || last || 0) - (Number(from) || 1) + 1;

  async function save() {
    const controller = new AbortController();
    abort.current = controller;
    setDone(undefined);
    setError(undefined);
    setProgress({ bytes: 0, lines: 0 });
    const range = {
      ...(from === '' ? {} : { from_number: Number(from) }),
      ...(to === '' ? {} : { to_number: Number(to) }),
    };
    try {
      const exported = await exportLog(range, setProgress, controller.signal);
      saveFile('audit-log.ndjson', exported.parts, 'application/x-ndjson');
      setDone({ ...exported, parts: [] });
    } catch (refusal) {
      if (!controller.signal.aborted) setError(refusal);
    } finally {
      setProgress(undefined);
    }
  }

  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('export_title')}
      </Title>
      <Text size="sm">{t('export_hint')}</Text>
      <Group align="flex-end">
        <NumberInput
          label={t('export_from')}
          placeholder={t('export_first')}
          size="xs"
          w={160}
          min={1}
          allowDecimal={false}
          value={from}
          onChange={setFrom}
        />
        <NumberInput
          label={t('export_to')}
          placeholder={t('export_last')}
          size="xs"
          w={160}
          min={1}
          allowDecimal={false}
          value={to}
          onChange={setTo}
        />
        {progress === undefined ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<Download size={16} aria-hidden />}
            onClick={() => void save()}
          >
            {t('export')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => abort.current?.abort()}>
            {t('export_stop')}
          </Button>
        )}
      </Group>
      {progress !== undefined && (
        <Stack gap={4}>
          <Progress
            value={expected > 0 ? Math.min((progress.lines / expected) * WHOLE, WHOLE) : WHOLE}
            aria-label={t('export')}
          />
          <Text size="sm" role="status">
            {t('exporting', { lines: format.number(progress.lines), bytes: format.bytes(progress.bytes) })}
          </Text>
        </Stack>
      )}
      {error !== undefined && <ErrorNotice error={error} onRetry={() => void save()} />}
      {done !== undefined && (
        <Alert role="status" variant="outline" color={done.ended ? 'green' : 'red'}>
          {t(done.ended ? 'exported' : 'export_cut', {
            lines: format.number(done.lines),
            bytes: format.bytes(done.bytes),
          })}
        </Alert>
      )}
    </Stack>
  );
}
