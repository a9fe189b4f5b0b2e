/**
 * The operations of both APIs as requests to send: an `.http` file for editors and a Postman
 * collection, which Bruno and Insomnia also import. Both are made from the endpoint table.
 */
import { endpointOf } from '../../api/endpoints/endpoints.ts'
import { publicOperations } from '../openapi/document.ts'
import type { PublicOperation } from '../openapi/examples/example.ts'
import { requestExamples } from '../openapi/examples/examples.ts'
import { parametersOf } from '../openapi/parameters.ts'

type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  example?: unknown
}
type Request = {
  readonly operation: string
  readonly summary: string
  readonly folder: 'Partner' | 'Seller'
  readonly key: 'partnerKey' | 'sellerKey'
  readonly method: string
  /** Below `/v1`, with example values. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: unknown
}

function requestOf(operation: PublicOperation): Request {
  const endpoint = endpointOf(operation)
  const seller = endpoint.api === 'seller'
  const given = (parametersOf(operation, endpoint) as Parameter[]).filter(
    ({ example }) => example !== undefined,
  )
  const valuesIn = (place: Parameter['in']) =>
    given
      .filter((parameter) => parameter.in === place)
      .map(({ name, example }) => [name, String(example)] as const)
  const path = valuesIn('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    endpoint.path,
  )
  return {
    operation,
    summary: endpoint.summary,
    folder: seller ? 'Seller' : 'Partner',
    key: seller ? 'sellerKey' : 'partnerKey',
    method: endpoint.method,
    path: seller ? `/seller${path}` : path,
    query: valuesIn('query'),
    headers: valuesIn('header'),
    body: requestExamples[operation],
  }
}

const requests = (): Request[] => publicOperations.map(requestOf)

function httpRequest({
  operation,
  summary,
  key,
  method,
  path,
  query,
  headers,
  body,
}: Request): string {
  const search = query.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(query))}`
  return [
    `### ${summary}`,
    `# @name ${operation}`,
    `${method} {{baseUrl}}${path}${search}`,
    `Authorization: Bearer {{${key}}}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]),
    '',
  ].join('\n')
}

/** The `.http` file for a service at `origin`; its keys are to be filled in. */
export const httpFile = (origin: string): string =>
  [
    `@baseUrl = ${origin}/v1`,
    '@partnerKey = svc_test_…',
    '@sellerKey = svcs_…',
    '',
    ...requests().map(httpRequest),
  ].join('\n')

const postmanRequest = ({ summary, key, method, path, query, headers, body }: Request) => ({
  name: summary,
  request: {
    method,
    auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${key}}}`, type: 'string' }] },
    header: headers.map(([name, value]) => ({ key: name, value })),
    url: {
      raw: `{{baseUrl}}${path}`,
      host: ['{{baseUrl}}'],
      path: path.split('/').slice(1),
      query: query.map(([name, value]) => ({ key: name, value })),
    },
    ...(body === undefined
      ? {}
      : {
          body: {
            mode: 'raw',
            raw: JSON.stringify(body, null, 2),
            options: { raw: { language: 'json' } },
          },
        }),
  },
})

/** The Postman collection (format 2.1) for a service at `origin`. */
export const postmanCollection = (origin: string) => ({
  info: {
    name: 'Partner Ordering API and Seller Import API',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  variable: [
    { key: 'baseUrl', value: `${origin}/v1` },
    { key: 'partnerKey', value: '' },
    { key: 'sellerKey', value: '' },
  ],
  item: (['Partner', 'Seller'] as const).map((name) => ({
    name,
    item: requests()
      .filter(({ folder }) => folder === name)
      .map(postmanRequest),
  })),
})
