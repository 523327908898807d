import { createHash } from 'node:crypto';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Keeps one of n functions, tables and methods, chosen by name and seed: the same ones each time. */
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'sample', { shouldIgnore })];

const [share, seed] = (process.env['MUTANTS_SAMPLE'] ?? '1 0').split(' ');

function shouldIgnore(path) {
  const name = nameOf(path);
  if (name === null) return undefined;
  const drawn = createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE(0) % Number(share);
  return drawn === 0 ? undefined : 'not in the sample';
}

function nameOf({ node, parent }) {
  if (node.type === 'ClassMethod' || node.type === 'ClassPrivateMethod')
    return node.key.name ?? node.key.id?.name ?? '';
  if (parent?.type !== 'Program' && parent?.type !== 'ExportNamedDeclaration') return null;
  if (node.type === 'FunctionDeclaration') return node.id?.name ?? '';
  if (node.type === 'VariableDeclaration') return node.declarations[0]?.id.name ?? '';
  return null;
}
