import { registerHooks } from 'node:module';

/**
 * Lets a plain Node process run these sources as they stand (`node --import …/typescript-hooks.ts file.ts`): finds the
 * TypeScript file behind a `.js` ending, and the sources of core behind its name. For tests that need processes of their
 * own, on a checkout without a build.
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
