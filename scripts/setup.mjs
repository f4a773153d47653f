// Installs the dependencies when they are missing or differ from the lockfile, and builds the console when its sources differ.
// This file must run on every version of Node, in order to report one that is too old; hence the dynamic import below.
const OLDEST_NODE = 18;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `steward needs Node.js ${OLDEST_NODE} or later to be set up; this is ${process.versions.node}.`,
  );
  process.exitCode = 1;
} else {
  import('./install.mjs').then(({ install }) => install());
}
