import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: 'esm',
  target: 'node22',
  dts: false,
  clean: ['dist/*.js', 'dist/*.map'],
  sourcemap: true,
  silent: true,
});
