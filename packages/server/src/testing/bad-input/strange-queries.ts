/** Parameters that no route has, or has by another name. */
export const STRANGE_QUERIES = [
  'zz=1',
  'zz[]=1&zz[]=2',
  'page[]=0',
  'status[0]=x',
  'LIMIT=0',
  '__proto__=x',
  '__proto__[x]=1',
  'constructor.prototype.x=1',
  '=',
  '&&&',
  '%00=%00',
  '%ff=%ff',
  '%=%',
  'a'.repeat(8000),
  Array.from({ length: 2000 }, (_, index) => `k${index}=${index}`).join('&'),
];
