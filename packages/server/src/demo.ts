// `npm run demo`. The first lines have to run on any Node, so that an old one prints a sentence instead of crashing.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `This needs Node 22.19 or newer, and this is ${process.versions.node}. Start it as "npm run demo", which brings its own.\n`,
  );
  process.exit(1);
}
const { runDemo } = await import('./demo/run-demo.js');
process.exitCode = await runDemo();

export {};
