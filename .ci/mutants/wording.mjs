import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/**
 * Skips texts for people, which may change at any time: errors, logs, findings and the interface's description. Values
 * that programs read (codes, names, reasons, algorithms) are mutated.
 */
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'wording', { shouldIgnore })];

function shouldIgnore(path) {
  if (!path.isStringLiteral() && !path.isTemplateLiteral()) {
    const isDescribed =
      (path.isObjectProperty() && path.node.key.name === 'operation') ||
      (path.isCallExpression() && path.node.callee.name === 'named');
    return isDescribed ? 'description of the interface' : undefined;
  }
  const { parent } = path;
  if (parent.type === 'NewExpression' && parent.callee.name === 'Refusal') return undefined;
  if (parent.type === 'NewExpression' && ERROR.test(parent.callee.name ?? '')) {
    // Short words are reasons that programs read.
    return / /.test(path.toString()) ? 'words of an error' : undefined;
  }
  if (parent.type === 'CallExpression' && parent.callee.type === 'Super' && / /.test(path.toString())) {
    return 'words of an error';
  }
  const callee = parent.type === 'CallExpression' ? parent.callee : null;
  const object = callee?.type === 'MemberExpression' ? (callee.object.property?.name ?? callee.object.name) : null;
  if (object === 'logger') return 'words of a log line';
  if (object === 'findings' && / /.test(path.toString())) return 'words of a finding';
  return undefined;
}

const ERROR = /Error$|Refusal$|Complaint$|^Unsigned$/;
