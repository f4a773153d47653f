import { verifyAuditExport } from './verify-audit-export.ts';

process.exitCode = await verifyAuditExport(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
