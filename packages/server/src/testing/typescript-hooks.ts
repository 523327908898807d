import { registerHooks } from 'node:module';

/**
 * Lets a plain Node process run the server's sources as they stand (`node --import …/typescript-hooks.ts file.ts`): finds
 * the TypeScript file behind a `.js` ending, and the sources of this repository's packages behind their names. For tests
 * that need servers they can kill, on a checkout without a build.
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
