/** The OpenAPI 3.1 document of both APIs, written from the endpoint table. */
import type { Endpoint, Method } from '../../api/endpoint.ts'
import { commonErrors, endpointOf, operationIds, pathParameters } from '../../api/endpoints.ts'
import { type ErrorCode, errorTable } from '../../api/errors.ts'
import type { OperationId } from '../../api/handlers.ts'
import { webhookHeaders } from '../../api/webhook-event.ts'
import { componentSchemas, type JsonSchema, parameterSchema, referenceTo } from './components.ts'
import { answerExamples, requestExamples } from './examples.ts'

const jsonBody = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, ...(example === undefined ? {} : { example }) } })

function parametersOf(endpoint: Endpoint) {
  const path = pathParameters(endpoint.path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, schema]) =>
    name === 'ids'
      ? { name, in: 'query', required: false, style: 'form', explode: false, schema: { type: 'array', items: { type: 'string' }, maxItems: 100 } }
      : { name, in: 'query', required: false, schema: parameterSchema(schema) })
  const key = endpoint.idempotent ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', minLength: 8, maxLength: 100 } }] : []
  return [...path, ...query, ...key]
}

/** Errors of an endpoint by status, each with the codes it can carry. */
function refusalsOf(endpoint: Endpoint) {
  const codes = [...new Set<ErrorCode>([...commonErrors[endpoint.api], ...endpoint.errors])]
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => {
    const here = codes.filter((code) => errorTable[code].status === status)
    const examples = Object.fromEntries(here.map((code) => [code, { value: { error: { code, message: errorTable[code].message, requestId: 'req_01jq8x' } } }]))
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } }
    const headers = status === 429 ? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } } : {}
    return [String(status), { description: here.join(', '), ...headers, content }]
  }))
}

function successesOf(operation: OperationId, endpoint: Endpoint) {
  return Object.fromEntries(Object.entries(endpoint.answers).map(([status, answer]) => [
    status,
    answer === null ? { description: 'Done; no body.' } : { description: endpoint.summary, content: jsonBody(referenceTo(answer.strict), answerExamples[operation]) },
  ]))
}

function operationOf(operation: OperationId, endpoint: Endpoint, present: boolean) {
  const absent = present ? {} : { description: 'Not part of this version yet: answered with NOT_FOUND.' }
  const scope = endpoint.scope === null ? {} : { 'x-scope': endpoint.scope }
  const body = endpoint.body === null
    ? {}
    : { requestBody: { required: !endpoint.bodyOptional, content: jsonBody(referenceTo(endpoint.body), requestExamples[operation]) } }
  return {
    operationId: operation,
    tags: [endpoint.api],
    summary: endpoint.summary,
    ...absent,
    ...scope,
    security: endpoint.api === 'partner' ? [{ partnerKey: [] }, { partnerApiKey: [] }] : [{ sellerKey: [] }],
    parameters: parametersOf(endpoint),
    ...body,
    responses: { ...successesOf(operation, endpoint), ...refusalsOf(endpoint) },
  }
}

/** Paths below `/v1`, the seller's below `/v1/seller`. */
function pathsOf(present: (operation: OperationId) => boolean) {
  const paths: Record<string, Partial<Record<Lowercase<Method>, unknown>>> = {}
  for (const operation of operationIds) {
    const endpoint = endpointOf(operation)
    if (endpoint.api === 'dashboard') continue
    const path = endpoint.api === 'seller' ? `/seller${endpoint.path}` : endpoint.path
    const methods = (paths[path] ??= {})
    methods[endpoint.method.toLowerCase() as Lowercase<Method>] = operationOf(operation, endpoint, present(operation))
  }
  return paths
}

const webhook = (summary: string, schema: string) => ({
  post: {
    summary,
    parameters: Object.values(webhookHeaders).map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    requestBody: { required: true, content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } },
    responses: { '2XX': { description: 'Received, within 8 seconds.' } },
  },
})

/** The document for a service reached at `origin`. `present` tells which operations this version answers. */
export function openApiDocument(origin: string, present: (operation: OperationId) => boolean) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Ordering API and Seller Import API',
      version: '1.0.0',
      description: 'Catalogue, orders and delivered keys for partners; offers, stock, sales and disputes for sellers. Amounts are in EUR, VAT excluded, with two decimals. Times are UTC.',
    },
    servers: [{ url: `${origin}/v1` }],
    tags: [{ name: 'partner', description: 'Partner Ordering API' }, { name: 'seller', description: 'Seller Import API' }],
    paths: pathsOf(present),
    webhooks: {
      order: webhook('order.completed, order.partially_completed or order.failed', 'OrderEvent'),
      balanceCredited: webhook('balance.credited', 'BalanceCreditedEvent'),
      webhookTest: webhook('webhook.test', 'WebhookTestEvent'),
    },
    components: {
      securitySchemes: {
        partnerKey: { type: 'http', scheme: 'bearer', description: 'A partner key: svc_test_… or svc_live_….' },
        partnerApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The same partner key.' },
        sellerKey: { type: 'http', scheme: 'bearer', description: 'A seller key: svcs_….' },
      },
      schemas: componentSchemas(),
    },
  }
}
