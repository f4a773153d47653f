// Installs the dependencies when they are not there yet, or no longer those that the lockfile names.
// This file must run on any Node at all, in order to say that it is too old; hence the import below.
const OLDEST_NODE = 18;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `steward needs Node.js ${OLDEST_NODE} or later to be set up; this is ${process.versions.node}.`,
  );
  process.exitCode = 1;
} else {
  import('./install.mjs').then(({ install }) => install());
}
