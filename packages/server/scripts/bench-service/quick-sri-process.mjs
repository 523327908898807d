// A slow SRI that uses little CPU, in its own process: `node quick-sri-process.mjs '{"latencyMs": 1000}'`. It checks
// nothing, accepts every document and authorizes it on request. The simulator verifies each document, which costs more CPU
// than the server under test.
import { createServer } from 'node:http';

const { latencyMs = 0, keepsTimes = false } = JSON.parse(process.argv[2] ?? '{}');
const received = new Map();
/** The arrival time of each submission's first byte, by access key. */
const firstBytes = [];
let underWay = 0;
let most = 0;

const server = createServer((incoming, outgoing) => {
  const firstByteAt = performance.timeOrigin + performance.now();
  const chunks = [];
  underWay += 1;
  most = Math.max(most, underWay);
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => {
    const asked = Buffer.concat(chunks).toString('latin1');
    setTimeout(() => {
      underWay -= 1;
      outgoing.writeHead(200, { 'content-type': 'text/xml;charset=UTF-8' });
      outgoing.end(answerTo(asked, firstByteAt));
    }, latencyMs);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send({ url: `http://127.0.0.1:${server.address().port}/comprobantes-electronicos-ws` });
});
process.on('message', (asked) => {
  if (asked === 'firstBytes') return process.send(firstBytes);
  process.send({ most, received: received.size });
  most = underWay;
});
process.on('disconnect', () => process.exit(0));

function answerTo(asked, firstByteAt) {
  const handedIn = /<xml>([^<]+)<\/xml>/.exec(asked)?.[1];
  if (handedIn === undefined) return authorize(/<claveAccesoComprobante>(\d{49})</.exec(asked)?.[1] ?? '');
  const xml = Buffer.from(handedIn, 'base64').toString();
  const accessKey = /<claveAcceso>(\d{49})</.exec(xml)?.[1] ?? '';
  received.set(accessKey, xml);
  if (keepsTimes) firstBytes.push([accessKey, firstByteAt]);
  return answer(
    'validarComprobante',
    'recepcion',
    'RespuestaRecepcionComprobante',
    '<estado>RECIBIDA</estado><comprobantes/>',
  );
}

function authorize(accessKey) {
  const xml = received.get(accessKey);
  received.delete(accessKey);
  const one =
    xml === undefined
      ? ''
      : `<autorizacion><estado>AUTORIZADO</estado><numeroAutorizacion>${accessKey}</numeroAutorizacion><fechaAutorizacion>2026-11-21T10:00:00-05:00</fechaAutorizacion><ambiente>PRUEBAS</ambiente><comprobante><![CDATA[${xml}]]></comprobante><mensajes/></autorizacion>`;
  const counted = `<claveAccesoConsultada>${accessKey}</claveAccesoConsultada><numeroComprobantes>${one ? 1 : 0}</numeroComprobantes>`;
  return answer(
    'autorizacionComprobante',
    'autorizacion',
    'RespuestaAutorizacionComprobante',
    `${counted}<autorizaciones>${one}</autorizaciones>`,
  );
}

function answer(name, namespace, element, content) {
  return `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><ns2:${name}Response xmlns:ns2="http://ec.gob.sri.ws.${namespace}"><${element}>${content}</${element}></ns2:${name}Response></soap:Body></soap:Envelope>`;
}
