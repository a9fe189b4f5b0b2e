/**
 * What an assistant can do with a sandbox: every operation of the dashboard interface, and requests
 * to both APIs with the demo accounts. Only a sandbox has a dashboard, so nothing else can be
 * reached.
 */
import { z } from 'zod'
import { apiRoots } from '../api/endpoints/endpoint.ts'
import { dashboardEndpoints } from '../api/endpoints/endpoints-dashboard.ts'
import { endpointOf, type OperationId, pathParameters } from '../api/endpoints/endpoints.ts'
import { dashboardDescriptions } from '../http/openapi/descriptions/dashboard-operations.ts'
import type { Ready } from '../sandbox-types.ts'

type Schema = Record<string, unknown>
export type Tool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: Schema
  readonly annotations: { readonly readOnlyHint: boolean }
}
export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly isError: boolean
}

const callInput = z.object({
  params: z.record(z.string(), z.string()).default({}),
  query: z.record(z.string(), z.unknown()).default({}),
  body: z.unknown().optional(),
})
const apiInput = z.object({
  api: z.enum(['partner', 'seller']),
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  path: z.string().regex(/^\/(?!.*\.\.)[\w./-]*$/),
  query: z.record(z.string(), z.unknown()).default({}),
  body: z.unknown().optional(),
  mode: z.enum(['test', 'live']).default('test'),
  idempotencyKey: z.string().optional(),
})
const API_TOOL = 'callApi'

const schemaOf = (type: z.ZodType): Schema => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
  return schema
}

function inputSchemaOf(operation: OperationId): Schema {
  const { path, query, body, bodyOptional } = endpointOf(operation)
  const names = pathParameters(path)
  const params = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  }
  return {
    type: 'object',
    properties: {
      ...(names.length > 0 && { params }),
      ...(query !== null && { query: schemaOf(query) }),
      ...(body !== null && { body: schemaOf(body) }),
    },
    required: [
      ...(names.length > 0 ? ['params'] : []),
      ...(body !== null && !bodyOptional ? ['body'] : []),
    ],
  }
}

const isDashboard = (name: string): name is keyof typeof dashboardEndpoints =>
  Object.hasOwn(dashboardEndpoints, name)

/** All tools, in the order of the endpoint table. */
export const tools = (): Tool[] => [
  {
    name: API_TOOL,
    description:
      'Calls the partner API or the seller API of the sandbox with its demo account, such as ' +
      'POST /orders. Paths are below /v1, or below /v1/seller for the seller.',
    inputSchema: schemaOf(apiInput),
    annotations: { readOnlyHint: false },
  },
  ...Object.keys(dashboardEndpoints)
    .filter(isDashboard)
    .map((name) => ({
      name,
      description: dashboardDescriptions[name],
      inputSchema: inputSchemaOf(name),
      annotations: { readOnlyHint: endpointOf(name).method === 'GET' },
    })),
]

type Sent = {
  method: string
  url: URL
  key: string
  body: unknown
  idempotencyKey?: string | undefined
}

async function send({ method, url, key, body, idempotencyKey }: Sent): Promise<ToolResult> {
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    content: [{ type: 'text', text: `${answer.status} ${text}`.trim() }],
    isError: !answer.ok,
  }
}

function addressOf(base: string, path: string, query: Readonly<Record<string, unknown>>): URL {
  const url = new URL(`${base}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url
}

/** Calls a tool; null if there is none of this name. An invalid input is a result, not an error. */
export async function callTool(
  { baseUrl, sellerUrl, dashboardUrl, dashboardToken, demo }: Ready,
  name: string,
  input: unknown,
): Promise<ToolResult | null> {
  const refused = (error: z.ZodError): ToolResult => ({
    content: [{ type: 'text', text: z.prettifyError(error) }],
    isError: true,
  })
  if (name === API_TOOL) {
    const given = apiInput.safeParse(input)
    if (!given.success) return refused(given.error)
    const { api, method, path, query, body, mode, idempotencyKey } = given.data
    const partnerKey = mode === 'live' ? demo?.partnerLiveKey : demo?.partnerTestKey
    const key = (api === 'seller' ? demo?.sellerKey : partnerKey) ?? ''
    const url = addressOf(api === 'seller' ? sellerUrl : baseUrl, path, query)
    return await send({ method, url, key, body, idempotencyKey })
  }
  if (!isDashboard(name)) return null
  const given = callInput.safeParse(input)
  if (!given.success) return refused(given.error)
  const { method, path } = endpointOf(name)
  const { params, query, body } = given.data
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
    encodeURIComponent(params[part] ?? ''),
  )
  const url = addressOf(dashboardUrl, filled, query)
  if (!url.pathname.startsWith(apiRoots.dashboard)) return null
  return await send({ method, url, key: dashboardToken, body })
}
