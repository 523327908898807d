/** XML that this library does not write. Each is signed unchanged. */
export const FOREIGN_SAMPLES: readonly { name: string; xml: string }[] = [
  { name: 'no declaration', xml: '<factura id="comprobante"><a>1</a></factura>' },
  {
    name: 'another form of the declaration',
    xml: "<?xml version='1.0' standalone='yes' ?><factura id='comprobante'/>",
  },
  { name: 'declared utf8', xml: '<?xml version="1.0" encoding="utf-8"?>\r\n<factura id="comprobante">á</factura>\r\n' },
  { name: 'CDATA', xml: '<factura id="comprobante"><a><![CDATA[<&]]]]><![CDATA[>]]></a></factura>' },
  { name: 'comments inside', xml: '<factura id="comprobante">1<!-- </factura> --><a>2<!---->3</a></factura>' },
  {
    name: 'comments before and after',
    xml: '<!-- <factura> --><factura id="comprobante"></factura>\n<!-- </factura> -->\n',
  },
  {
    name: 'numeric references',
    xml: '<factura id="comprobante" x="&#13;&#x9;&#10;">&#13;&#x1F600;&#xE9;&#60;</factura>',
  },
  { name: 'CR and LF', xml: '<factura\r\n id="comprobante"\r>\r\n<a\r\n>x\ry</a\r\n>\r\n</factura\r\n>' },
  { name: 'quotes in attributes', xml: `<factura x='say "hi"' id='comprobante' y="it's"><a z='"'/></factura>` },
  { name: 'a raw greater-than sign', xml: '<factura id="comprobante" x=">"><a x="/>"/>a>b</factura>' },
  { name: 'empty elements', xml: '<factura id="comprobante"><a/><b></b><c /></factura>' },
  { name: 'a root that closes itself', xml: '<factura id="comprobante" />' },
  { name: 'white space before the end of tags', xml: '<factura id="comprobante"  ><a ></a ></factura\t>' },
  { name: 'accents and astral characters', xml: '<factura id="comprobante" ñ="é"><año>😀 𝒳 e\u0301</año></factura>' },
  {
    name: 'NEL, LINE SEPARATOR and the replacement character',
    xml: '<factura id="comprobante">\u0085\u2028\ufffd</factura>',
  },
  { name: 'a zero-width no-break space inside', xml: '<factura id="comprobante">a\ufeffb</factura>' },
  { name: 'unordered attributes', xml: '<factura version="1.1.0" id="comprobante" Version="2" _="3"/>' },
  {
    name: 'namespaces on the root',
    xml: '<factura xmlns:z="urn:z" xmlns:B="urn:b" z:a="1" B:a="2" id="comprobante"><z:a/></factura>',
  },
  {
    name: 'the signature’s own prefixes, bound otherwise',
    xml: '<factura xmlns:ds="urn:z" xmlns:etsi="urn:y" id="comprobante"><ds:a/></factura>',
  },
  {
    name: 'the signature’s own prefixes, bound alike',
    xml: '<factura xmlns:ds="http://www.w3.org/2000/09/xmldsig#" id="comprobante"><a/></factura>',
  },
  {
    name: 'namespaces on inner elements',
    xml: '<factura id="comprobante"><a xmlns="urn:a" xmlns:p="urn:p"><p:b xmlns:p="urn:q"/></a></factura>',
  },
  { name: 'a default namespace', xml: '<factura xmlns="urn:a" id="comprobante"><a xmlns=""><b/></a></factura>' },
  { name: 'an empty default namespace', xml: '<factura xmlns="" id="comprobante"><a/></factura>' },
  {
    name: 'the xml prefix declared',
    xml: '<factura xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:lang="es" id="comprobante"><a/></factura>',
  },
  {
    name: 'an xml: attribute with characters to be escaped',
    xml: '<factura xml:base="http://x/?a=1&amp;b=&quot;&#10;" id="comprobante"><a/></factura>',
  },
  {
    name: 'xml:lang, xml:space and xml:base',
    xml: '<factura xml:lang="es" xml:space="preserve" xml:base="http://x/" id="comprobante"> <a xml:lang="en"/></factura>',
  },
  {
    name: 'processing instructions',
    xml: '<?a?><factura id="comprobante"><?b  c ?><!-- d --><?e?></factura><?f </factura>?>',
  },
];
