import { registerHooks } from 'node:module';

/**
 * Lets plain Node run the server's sources (`node --import …/typescript-hooks.ts file.ts`): it resolves a `.js` ending
 * to the TypeScript file, and the names of this repository's packages to their sources. For scripts and threads on a
 * checkout without a build; programs that start many times are bundled (`bundled-sources.ts`).
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const source = SOURCES[specifier];
    if (source) return nextResolve(new URL(source, import.meta.url).href, context);
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
      return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
    }
    return nextResolve(specifier, context);
  },
});

const SOURCES: Readonly<Record<string, string>> = {
  'sri-core': '../../../sri-core/src/index.ts',
  'sri-core/cli': '../../../sri-core/src/cli/index.ts',
  'sri-core/client': '../../../sri-core/src/client.ts',
  'sri-core/simulator': '../../../sri-core/src/simulator.ts',
  'sri-core/testing': '../../../sri-core/src/testing/index.ts',
  'sri-core/webhooks': '../../../sri-core/src/webhooks.ts',
  'sri-storage-adapters': '../../../storage-adapters/src/index.ts',
};
