import { describe, expect, it } from 'vitest';
import { parseDom } from '../xml/reader.js';
import { documentIds } from './document-ids.js';

const idsIn = (xml: string) => documentIds(parseDom(xml, 1000));

describe('the ids of a document', () => {
  it.each(['id', 'Id', 'ID', 'p:id', 'p:Id', 'xml:id'])('the ids of a document include the attribute %s', (name) => {
    const { all, duplicates } = idsIn(`<a xmlns:p="urn:p" id="r"><b ${name}="x"/></a>`);
    expect([...all]).toEqual(['r', 'x']);
    expect(duplicates).toEqual([]);
  });

  it.each(['iD', 'guid', 'idx', 'xId', 'p:guid', 'p:idx', 'version'])(
    'the ids of a document exclude the attribute %s',
    (name) => {
      expect([...idsIn(`<a xmlns:p="urn:p" id="r"><b ${name}="x"/></a>`).all]).toEqual(['r']);
    },
  );

  it('a repeated id is reported once, in any attribute', () => {
    const { all, duplicates } = idsIn('<a id="r"><b Id="x"/><c><d ID="x"/><e id="x"/><f xml:id="r"/></c></a>');
    expect([...all]).toEqual(['r', 'x']);
    expect([...duplicates].sort()).toEqual(['r', 'x']);
  });
});
