import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import dockerignore from '@balena/dockerignore';

/**
 * The files of a folder that a build may copy: those that its `.dockerignore` admits, with paths relative
 * to the folder. Links count as files, as they do in a build.
 */
export function listBuildContext(folder: string): string[] {
  const lines = readFileSync(join(folder, '.dockerignore'), 'utf8').split('\n');
  const rules = dockerignore.default().add(lines);
  const exceptions = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).trim());
  const mayHoldFiles = (path: string) =>
    !rules.ignores(path) || exceptions.some((exception) => exception.startsWith(`${path}/`));
  const list = (path: string): string[] =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) return mayHoldFiles(child) ? list(child) : [];
      return rules.ignores(child) ? [] : [child];
    });
  return list('');
}
