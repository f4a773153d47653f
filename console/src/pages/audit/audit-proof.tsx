import { Box, Code, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Checkpoints } from './checkpoints.tsx';
import { LogExport } from './log-export.tsx';
import { Verification } from './verification.tsx';

const COMMANDS = `openssl pkey -in audit_signing_key.pem -pubout -out audit.pub.pem
npm run audit-verify -- audit-log.ndjson --key audit.pub.pem`;

/** What shows that the log is as it was recorded: verification, checkpoints, and exports that are verified elsewhere. */
export function AuditProof() {
  const { t } = useTranslation('audit');
  return (
    <Box className="scroll-fill" role="region" aria-label={t('tab_proof')} tabIndex={0}>
      <Stack gap="xl" maw={980}>
        <Text>{t('proof_intro')}</Text>
        <Verification />
        <Checkpoints />
        <LogExport />
        <Stack gap="xs">
          <Title order={2} size="h4">
            {t('offline')}
          </Title>
          <Text size="sm">{t('offline_hint')}</Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {COMMANDS}
          </Code>
          <Text size="sm">{t('offline_result')}</Text>
        </Stack>
      </Stack>
    </Box>
  );
}
