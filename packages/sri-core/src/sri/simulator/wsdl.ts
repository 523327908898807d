import type { SoapOperation } from '../soap.js';

/** The WSDL of one service: enough for a SOAP toolkit to generate a client for the simulator. */
export function describeService(operation: SoapOperation, address: string): string {
  const { service, namespace, name, argument, answer } = operation;
  const argumentType = argument === 'xml' ? 'xs:base64Binary' : 'xs:string';
  const any = '<xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence>';
  const message = (element: string) =>
    `<wsdl:message name="${element}"><wsdl:part element="tns:${element}" name="parameters"/></wsdl:message>`;
  const element = (elementName: string, content: string) =>
    `<xs:element name="${elementName}"><xs:complexType>${content}</xs:complexType></xs:element>`;
  return [
    '<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema"',
    ` xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:tns="${namespace}"`,
    ` name="${service}Service" targetNamespace="${namespace}">`,
    `<wsdl:types><xs:schema elementFormDefault="unqualified" targetNamespace="${namespace}">`,
    element(name, `<xs:sequence><xs:element minOccurs="0" name="${argument}" type="${argumentType}"/></xs:sequence>`),
    element(
      `${name}Response`,
      `<xs:sequence><xs:element minOccurs="0" name="${answer}"><xs:complexType>${any}</xs:complexType></xs:element></xs:sequence>`,
    ),
    `</xs:schema></wsdl:types>${message(name)}${message(`${name}Response`)}`,
    `<wsdl:portType name="${service}"><wsdl:operation name="${name}"><wsdl:input message="tns:${name}"/>`,
    `<wsdl:output message="tns:${name}Response"/></wsdl:operation></wsdl:portType>`,
    `<wsdl:binding name="${service}SoapBinding" type="tns:${service}">`,
    '<soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>',
    `<wsdl:operation name="${name}"><soap:operation soapAction="" style="document"/>`,
    '<wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output>',
    `</wsdl:operation></wsdl:binding><wsdl:service name="${service}Service">`,
    `<wsdl:port binding="tns:${service}SoapBinding" name="${service}Port"><soap:address location="${address}"/>`,
    '</wsdl:port></wsdl:service></wsdl:definitions>',
  ].join('');
}
