import { Button, FileInput, List, Modal, Select, Stack, Text } from '@mantine/core';
import type { ImportMediaHashesResponse } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Params } from '../../client/operation.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { TaskLink } from '../../ui/links.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { HashOptionsFields, optionParams, USUAL_OPTIONS } from './hash-options.tsx';

type Format = NonNullable<Params<'mediaHashes.import'>['format']>;

const FORMAT_OF_ENDING: Readonly<Record<string, Format>> = { csv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson' };

/** Imports a file of hashes of known-bad content. */
export function ImportHashesButton() {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<Format>('text');
  const [options, setOptions] = useState(USUAL_OPTIONS);
  const [result, setResult] = useState<ImportMediaHashesResponse>();
  return (
    <>
      <OrderButton
        operation="mediaHashes.import"
        title={t('hashes.import')}
        consequences={[t('hashes.add_effect'), t('hashes.add_effect_known'), t('hashes.import_effect')]}
        params={file === null ? undefined : { content: file, format, ...optionParams(options) }}
        onDone={(answer) => {
          setFile(null);
          setOptions(USUAL_OPTIONS);
          setResult(answer);
        }}
      >
        <FileInput
          label={t('hashes.file')}
          description={t('hashes.file_hint')}
          placeholder={t('hashes.file')}
          value={file}
          clearable
          onChange={(next) => {
            setFile(next);
            const ending = next?.name.split('.').at(-1)?.toLowerCase() ?? '';
            if (next) setFormat(FORMAT_OF_ENDING[ending] ?? 'text');
          }}
        />
        <Select
          label={t('hashes.format')}
          data={[
            { value: 'text', label: t('hashes.format_text') },
            { value: 'csv', label: t('hashes.format_csv') },
            { value: 'ndjson', label: t('hashes.format_ndjson') },
          ]}
          allowDeselect={false}
          value={format}
          onChange={(next) => next && setFormat(next as Format)}
        />
        <Text size="sm">{t('hashes.file_wins')}</Text>
        <HashOptionsFields options={options} onChange={setOptions} />
      </OrderButton>
      <Modal
        opened={result !== undefined}
        onClose={() => setResult(undefined)}
        title={t('hashes.import')}
        size="lg"
        closeButtonProps={{ 'aria-label': common('order.close') }}
      >
        {result && <ImportResult result={result} onClose={() => setResult(undefined)} />}
      </Modal>
    </>
  );
}

interface ImportResultProps {
  readonly result: ImportMediaHashesResponse;
  readonly onClose: () => void;
}

function ImportResult({ result, onClose }: ImportResultProps) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { added, updated, failed, problems, task_id: task } = result;
  return (
    <Stack align="flex-start">
      <Text role="status">
        {t('hashes.imported', {
          added: format.number(added),
          updated: format.number(updated),
          failed: format.number(failed),
        })}
      </Text>
      {problems.length > 0 && (
        <>
          <Text fw={600}>{t('hashes.problems')}</Text>
          <List size="sm">
            {problems.map(({ line, problem }) => (
              <List.Item key={line}>{t('hashes.line', { line, problem })}</List.Item>
            ))}
          </List>
        </>
      )}
      {task !== undefined && <TaskLink id={task}>{t('all.task')}</TaskLink>}
      <Button onClick={onClose}>{common('order.close')}</Button>
    </Stack>
  );
}
