import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', main: 'src/main.ts', demo: 'src/demo.ts' },
  format: 'esm',
  target: 'node22',
  dts: false,
  splitting: true,
  clean: ['dist/*.js', 'dist/*.map'],
  sourcemap: true,
  silent: true,
});
