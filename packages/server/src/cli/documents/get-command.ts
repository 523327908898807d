import { CONNECTION_OPTIONS, readIssuerConnection } from '../client/connection.js';
import { askWhy, downloadXml, outcomeOf, requireAccessKey, tellWhy } from '../client/documents.js';
import { withServer } from '../client/with-server.js';
import { defineServerCommand } from '../frame/command.js';
import { describeDocument } from './document-words.js';
import { KEY_ARGUMENT } from './key-argument.js';
import { showContent } from './show-content.js';

/** `documents get` */
export const getCommand = defineServerCommand({
  about: {
    es: 'Estado, líneas y sumas, y qué dijo el SRI cuando no lo aceptó.',
    en: 'Its standing, lines and sums, and what the SRI said where it did not accept it.',
  },
  args: [KEY_ARGUMENT],
  options: CONNECTION_OPTIONS,
  run: (call) => {
    const { language, json } = call;
    const accessKey = requireAccessKey(call.args[0]);
    return withServer(readIssuerConnection(call), async (api) => {
      const document = await api.documents.get(accessKey);
      const outcome = outcomeOf(document);
      const isVoided = document.status === 'VOIDED';
      const why = !isVoided && (outcome === 'refused' || outcome === 'failed') ? await askWhy(api, accessKey) : null;
      const content = json ? '' : showContent(new TextDecoder().decode(await downloadXml(api, accessKey)));
      const parts = [describeDocument(document, language), content, why ? tellWhy(why).join('\n') : ''];
      return {
        json: { ok: true, document, ...(why?.answer ? { sri: why.answer } : {}) },
        text: parts.filter((part) => part !== '').join('\n\n'),
      };
    });
  },
});
