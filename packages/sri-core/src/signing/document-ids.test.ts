import { describe, expect, it } from 'vitest';
import { parseDom } from '../xml/reader.js';
import { documentIds } from './document-ids.js';

const idsIn = (xml: string) => documentIds(parseDom(xml, 1000));

describe('the ids of a document', () => {
  it.each(['id', 'Id', 'ID', 'p:id', 'p:Id', 'xml:id'])('are what stands in %s', (name) => {
    const { all, duplicates } = idsIn(`<a xmlns:p="urn:p" id="r"><b ${name}="x"/></a>`);
    expect([...all]).toEqual(['r', 'x']);
    expect(duplicates).toEqual([]);
  });

  it.each(['iD', 'guid', 'idx', 'xId', 'p:guid', 'p:idx', 'version'])('are not what stands in %s', (name) => {
    expect([...idsIn(`<a xmlns:p="urn:p" id="r"><b ${name}="x"/></a>`).all]).toEqual(['r']);
  });

  it('are told when they occur twice, each once, by whatever attributes', () => {
    const { all, duplicates } = idsIn('<a id="r"><b Id="x"/><c><d ID="x"/><e id="x"/><f xml:id="r"/></c></a>');
    expect([...all]).toEqual(['r', 'x']);
    expect([...duplicates].sort()).toEqual(['r', 'x']);
  });
});
