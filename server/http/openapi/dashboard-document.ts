/** The OpenAPI 3.1 document of the dashboard interface, written from the endpoint table (Decision 46). */
import type { Endpoint, Method } from '../../api/endpoints/endpoint.ts'
import {
  commonErrors,
  endpointOf,
  type OperationId,
  operationIds,
  pathParameters,
} from '../../api/endpoints/endpoints.ts'
import { type ErrorCode, errorTable } from '../../api/errors.ts'
import { bodySchema, dashboardErrorBody, type JsonSchema, parameterSchema } from './components.ts'
import { dashboardDescriptions } from './descriptions/dashboard-operations.ts'
import { commonInfo } from './info.ts'

/** Chapters by the first segment of the path. */
const chapters: Readonly<Record<string, string>> = {
  partners: 'Partners',
  sellers: 'Sellers',
  products: 'Products',
  claims: 'Claims and disputes',
  disputes: 'Claims and disputes',
  clock: 'Clock',
  faults: 'Faults and requests',
  requests: 'Faults and requests',
  certificate: 'Certificate',
  snapshots: 'State',
  branches: 'State',
  world: 'State',
  reset: 'State',
  ledger: 'State',
  market: 'Market',
}

const descriptions: Readonly<Record<string, string>> = {
  Partners: 'Partner accounts with their keys, balances, e-mails and webhooks.',
  Sellers: 'Seller accounts with their keys and commissions.',
  Products: 'The catalogue that both APIs read.',
  'Claims and disputes': 'What customers and support do.',
  Clock: 'The time of the service, which can be moved forward.',
  'Faults and requests': 'Failures to test a client with, and the log of requests.',
  Certificate: 'Whether a webhook handler on this computer keeps its promises.',
  State: 'Snapshots, branches, world files, the reset, and the proof of the ledger.',
  Market: 'A simulated market with competitors and customers.',
}

function tagOf(path: string): string {
  const chapter = chapters[path.split('/')[1] ?? '']
  if (chapter === undefined) throw new Error(`no chapter for ${path} in the dashboard's document`)
  return chapter
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

function successesOf({ responses, summary }: Endpoint) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => [
      status,
      answer === null
        ? { description: 'Done; no body.' }
        : { description: `${summary}.`, content: json(bodySchema(answer.strict)) },
    ]),
  )
}

function refusalsOf({ errors }: Endpoint) {
  const codes = [...new Set<ErrorCode>([...commonErrors.dashboard, ...errors])]
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))]
  return Object.fromEntries(
    statuses
      .toSorted((a, b) => a - b)
      .map((status) => [
        String(status),
        {
          description: codes
            .filter((code) => errorTable[code].status === status)
            .map((code) => `\`${code}\`: ${errorTable[code].message}`)
            .join('\n\n'),
          content: json({ $ref: '#/components/schemas/ErrorBody' }),
        },
      ]),
  )
}

const isDescribed = (id: string): id is keyof typeof dashboardDescriptions =>
  Object.hasOwn(dashboardDescriptions, id)

function operationOf(id: OperationId, endpoint: Endpoint): object {
  const { path, summary, query, body, bodyOptional } = endpoint
  return {
    operationId: id,
    tags: [tagOf(path)],
    summary,
    ...(isDescribed(id) && { description: dashboardDescriptions[id] }),
    security: [{ dashboardToken: [] }],
    parameters: [
      ...pathParameters(path).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
        name,
        in: 'query',
        required: false,
        schema: parameterSchema(schema),
      })),
    ],
    ...(body !== null && {
      requestBody: { required: !bodyOptional, content: json(bodySchema(body)) },
    }),
    responses: { ...successesOf(endpoint), ...refusalsOf(endpoint) },
  }
}

/** The dashboard's operations, in the table's order. */
export const dashboardOperations: readonly OperationId[] = operationIds.filter(
  (id) => endpointOf(id).api === 'dashboard',
)

/** The document for a service at `origin`, a scheme and authority without a trailing slash. */
export function dashboardDocument(origin: string) {
  const paths: Record<string, Partial<Record<Lowercase<Method>, object>>> = {}
  for (const id of dashboardOperations) {
    const endpoint = endpointOf(id)
    const methods = (paths[endpoint.path] ??= {})
    methods[endpoint.method.toLowerCase() as Lowercase<Method>] = operationOf(id, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dashboard of the sandbox',
      ...commonInfo,
      summary: 'Accounts, products, claims, the clock, faults and snapshots, for tests.',
      description:
        'Everything that a person or a test controls in a sandbox. Calls need the token from the ' +
        "service's ready line: `Authorization: Bearer <dashboardToken>`. Unknown query parameters " +
        'are refused.',
    },
    servers: [{ url: `${origin}/dashboard`, description: 'This service.' }],
    tags: Object.entries(descriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        dashboardToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of the ready line.',
        },
      },
      schemas: { ErrorBody: dashboardErrorBody() },
    },
  }
}
