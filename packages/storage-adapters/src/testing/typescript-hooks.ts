import { registerHooks } from 'node:module';

/**
 * Lets a plain Node process run these sources without a build (`node --import …/typescript-hooks.ts file.ts`). It
 * resolves a `.js` ending to the TypeScript file, and the name of core to its sources. For tests that need processes of
 * their own.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'sri-core') return nextResolve(CORE, context);
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
      return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
    }
    return nextResolve(specifier, context);
  },
});

const CORE = new URL('../../../sri-core/src/index.ts', import.meta.url).href;
