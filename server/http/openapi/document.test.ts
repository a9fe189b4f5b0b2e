import Database from 'better-sqlite3'
import fc from 'fast-check'
import type { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { endpointOf, operationIds } from '../../api/endpoints/endpoints.ts'
import { errorBodySchema } from '../../api/errors.ts'
import { webhookSignature } from '../../domain/webhooks/webhook-signature.ts'
import { componentSchemas } from './components.ts'
import { openApiDocument, publicOperations } from './document.ts'
import { responses, requests } from './examples/examples.ts'
import { describedPlaces } from './descriptions/fields.ts'
import { introduction } from './descriptions/introduction.ts'
import { eventExamples } from './webhooks.ts'

type Content = {
  'application/json': {
    schema: unknown
    examples?: Record<string, { summary: string; value: unknown }>
  }
}
type Operation = {
  operationId: string
  tags: string[]
  description: string
  parameters: { name: string; description: string; example: unknown; schema: object }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; headers: object; content?: Content }>
}

const document = openApiDocument('http://127.0.0.1:4600')
const operations = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods),
) as Operation[]
const operation = (id: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === id)
  if (found === undefined) throw new Error(`no operation ${id}`)
  return found
}
const problemsOf = (schema: z.ZodType | undefined, value: unknown) =>
  schema?.safeParse(value).error?.issues ?? []

type Handle = (
  db: Database.Database,
  deliveryId: string,
  event: object,
  readOrder: (id: string) => Promise<{ id: string }>,
) => Promise<void>

/** The exports of a sample program of the introduction. */
async function sample<Exports>(name: string): Promise<Exports> {
  const [, code = ''] = new RegExp(`\`\`\`js ${name}\\n([\\s\\S]*?)\`\`\``).exec(introduction) ?? []
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Exports
}

describe('the OpenAPI document', () => {
  it('describes every operation of both APIs, with paths below the version', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      operationIds.filter((id) => endpointOf(id).api !== 'dashboard').toSorted(),
    )
    expect(
      operations
        .filter(({ description }) => description.length < 60)
        .map(({ operationId }) => operationId),
    ).toEqual([])
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      servers: [{ url: 'http://127.0.0.1:4600/v1' }],
    })
    expect(Object.keys(document.paths)).toContain('/seller/offers/{id}/keys')
  })

  it("contains every reference's target", () => {
    const references = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g),
    ].map(([, kind = '', name = '']) => ({ kind, name }))
    const held = new Map<string, object>(Object.entries(document.components))
    expect(references.length).toBeGreaterThan(200)
    expect(
      references.filter(({ kind, name }) => !Object.hasOwn(held.get(kind) ?? {}, name)),
    ).toEqual([])
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it('gives the type, bounds and default of a parameter after parsing', () => {
    const parameters = new Map(
      operation('listProducts').parameters.map(({ name, schema }) => [name, schema]),
    )
    expect(parameters.get('limit')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 50,
    })
    expect(parameters.get('page')).toEqual({ type: 'integer', minimum: 1, default: 1 })
    expect(parameters.get('inStock')).toEqual({ type: 'boolean' })
    expect(parameters.get('updatedSince')).toEqual({ type: 'string', format: 'date-time' })
    expect(parameters.get('ids')).toEqual({ type: 'string' })
  })

  it('lists the codes of the two APIs as an open list', () => {
    const { properties } = Object(componentSchemas()['ErrorBody']).properties.error
    expect(properties.code).toMatchObject({ type: 'string' })
    expect(properties.code).not.toHaveProperty('enum')
    const codes: string[] = properties.code['x-extensible-enum']
    expect(codes).toEqual(expect.arrayContaining(['PRICE_CHANGED', 'DISPUTE_RESOLVED']))
    expect(codes).not.toContain('CLAIM_EXISTS')
  })

  it('describes every parameter, with a valid example', () => {
    const silent = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(
          ({ name, description, example }) =>
            description.length < 10 || (example === undefined) !== (name === 'cursor'),
        )
        .map(({ name }) => `${operationId} ${name}`),
    )
    expect(silent).toEqual([])
    const unread = publicOperations.flatMap((id) =>
      Object.entries(endpointOf(id).query?.shape ?? {})
        .filter(([name, schema]) => {
          const example = operation(id).parameters.find(
            (parameter) => parameter.name === name,
          )?.example
          return example !== undefined && !schema.safeParse(String(example)).success
        })
        .map(([name]) => `${id} ${name}`),
    )
    expect(unread).toEqual([])
  })

  it("lists the refusals of an order by status, with each one's details and wait headers", () => {
    const { responses } = operation('createOrder')
    expect(Object.keys(responses)).toEqual([
      '201',
      '400',
      '401',
      '402',
      '403',
      '404',
      '409',
      '422',
      '429',
      '500',
      '503',
    ])
    const conflicts = responses['409']?.content?.['application/json'].examples ?? {}
    expect(Object.keys(conflicts)).toEqual([
      'PRICE_CHANGED',
      'OUT_OF_STOCK',
      'PRODUCT_UNAVAILABLE',
      'DUPLICATE_EXTERNAL_ID',
      'IDEMPOTENCY_CONFLICT',
      'IDEMPOTENCY_IN_PROGRESS',
    ])
    expect(conflicts['PRICE_CHANGED']?.value).toMatchObject({
      error: { details: { productId: 'prd_10006', currentPrice: 16.2 } },
    })
    expect(Object.keys(responses['429']?.headers ?? {})).toEqual([
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ])
  })

  it('takes scope, own rate and idempotency from the endpoint table', () => {
    expect(operation('createOrder').description).toContain(
      '**Scope** `orders:write` · **Rate** 120 orders of an account in any minute, ' +
        'in addition to the key rate · **Idempotency-Key** accepted',
    )
    expect(operation('getSeller').description).not.toMatch(/\*\*(Scope|Rate|Idempotency)/)
    expect(
      operations
        .filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
        .map(({ operationId }) => operationId),
    ).toEqual([
      'createOrder',
      'uploadKeys',
      'withdrawKeys',
      'answerDispute',
      'replaceKey',
      'refundDispute',
    ])
  })

  it('groups the operations in chapters that all have a description', () => {
    const chapters = document.tags.map(({ name }) => name)
    expect([...new Set(operations.flatMap(({ tags }) => tags))].toSorted()).toEqual(
      chapters.toSorted(),
    )
    expect(document['x-tagGroups'].flatMap(({ tags }) => tags)).toEqual(chapters)
  })

  it("describes every field of every schema, and no field that doesn't exist", () => {
    const silent: string[] = []
    const places: string[] = []
    const walk = (schema: object, path: string): void => {
      const {
        properties = {},
        items,
        anyOf = [],
      } = schema as { properties?: Record<string, object>; items?: object; anyOf?: object[] }
      for (const part of [...anyOf, ...(items === undefined ? [] : [items])]) walk(part, path)
      for (const [name, field] of Object.entries(properties)) {
        places.push(`${path}.${name}`)
        if (!('description' in field) || field.description === '') silent.push(`${path}.${name}`)
        walk(field, `${path}.${name}`)
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name)
    expect(silent).toEqual([])
    expect(describedPlaces.filter((place) => !places.includes(place))).toEqual([])
  })
})

describe('the examples of the OpenAPI document', () => {
  it('include a valid request for every body', () => {
    for (const id of publicOperations) {
      const { body } = endpointOf(id)
      const examples = Object.entries(requests[id] ?? {})
      expect(examples.length > 0, id).toBe(body !== null)
      for (const [name, { value }] of examples)
        expect(problemsOf(body ?? undefined, value), `${id} ${name}`).toEqual([])
      expect(
        Object.keys(operation(id).requestBody?.content['application/json'].examples ?? {}),
        id,
      ).toEqual(examples.map(([name]) => name))
    }
  })

  it('include a response that the service sends for every success with a body', () => {
    for (const id of publicOperations) {
      for (const [status, answer] of Object.entries(endpointOf(id).responses)) {
        const examples = Object.entries(responses[id][Number(status)] ?? {})
        expect(examples.length > 0, `${id} ${status}`).toBe(answer !== null)
        for (const [name, { value }] of examples)
          expect(problemsOf(answer?.strict, value), `${id} ${status} ${name}`).toEqual([])
        expect(
          Object.keys(
            operation(id).responses[status]?.content?.['application/json'].examples ?? {},
          ),
        ).toEqual(examples.map(([name]) => name))
      }
      expect(
        Object.keys(responses[id]).filter(
          (status) => !Object.hasOwn(endpointOf(id).responses, status),
        ),
        id,
      ).toEqual([])
    }
  })

  it('include a refusal that the service sends for each code', () => {
    let count = 0
    for (const { operationId, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses).filter(
        ([status]) => Number(status) >= 400,
      )) {
        for (const [code, { value }] of Object.entries(
          content?.['application/json'].examples ?? {},
        )) {
          count += 1
          expect(
            errorBodySchema.safeParse(value).data?.error.code,
            `${operationId} ${status}`,
          ).toBe(code)
        }
      }
    }
    expect(count).toBeGreaterThan(180)
  })

  it('include an envelope that the service sends for each event', () => {
    expect(Object.keys(eventExamples)).toEqual(Object.keys(document.webhooks))
    expect(Object.keys(eventExamples)).toHaveLength(5)
    for (const [event, { schema, value }] of Object.entries(eventExamples)) {
      expect(problemsOf(schema, value), event).toEqual([])
      expect(value.event).toBe(event)
    }
  })

  it("include a verifier that accepts only the service's signatures", async () => {
    const { isGenuine } = await sample<{
      isGenuine: (body: string, signature: string, secret: string, now: number) => boolean
    }>('verify')
    const now = 1_772_442_000_000
    const signature = webhookSignature('whsec_1', '{"a":1}', now)
    expect(isGenuine('{"a":1}', signature, 'whsec_1', now + 299_000)).toBe(true)
    expect(isGenuine('{"a":1}', signature, 'whsec_1', now - 299_000)).toBe(true)
    for (const ms of [-301_000, 301_000])
      expect(isGenuine('{"a":1}', signature, 'whsec_1', now + ms)).toBe(false)
    expect(isGenuine('{"a":2}', signature, 'whsec_1', now)).toBe(false)
    expect(isGenuine('{"a":1}', signature, 'whsec_2', now)).toBe(false)
    expect(isGenuine('{"a":1}', 'nonsense', 'whsec_1', now)).toBe(false)
  })
  it('include a handler that ships each order once, whatever arrives and fails', async () => {
    const { handle } = await sample<{ handle: Handle }>('handle')
    // Deliveries 1 and 3 are of one order, 2 and 4 of another.
    const orderOf = (id: string) => (Number(id.at(-1)) % 2 === 1 ? 'ord_1' : 'ord_2')
    const ids = fc.array(fc.constantFrom('dlv_1', 'dlv_2', 'dlv_3', 'dlv_4'), { minLength: 1 })
    const outcomes = fc.array(fc.boolean(), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(ids, outcomes, outcomes, async (arrivals, reads, writes) => {
        const db = new Database(':memory:')
        db.function('fails', () => Number(writes.pop() ?? false))
        db.exec(`
          CREATE TABLE deliveries (id PRIMARY KEY);
          CREATE TABLE shipments (order_id PRIMARY KEY);
          CREATE TRIGGER full BEFORE INSERT ON shipments WHEN fails()
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
        const readOrder = async (id: string) => {
          await new Promise((resolve) => setImmediate(resolve))
          if (reads.pop() === true) throw new Error('no connection')
          return { id }
        }
        /** The service repeats a delivery until the handler returns. */
        const deliver = async (id: string): Promise<void> => {
          const event = { event: 'order.completed', data: { id: orderOf(id) } }
          await handle(db, id, event, readOrder).catch(() => deliver(id))
        }
        await Promise.all(arrivals.map(deliver))
        const shipped = db.prepare('SELECT order_id FROM shipments ORDER BY 1').pluck().all()
        expect(shipped).toEqual([...new Set(arrivals.map(orderOf))].toSorted())
        db.close()
      }),
      { numRuns: 200 },
    )
  })

  it('says how price and quantity belong together, wherever a price is compared', () => {
    const { description } = Object(componentSchemas()['Product']).properties.price
    expect(description).toContain('A line of several units costs the unit price of the most')
    expect(operation('createOrder').description).toContain('`details.currentPrice`')
    expect(operation('createOrder').responses['409']?.description).toMatch(
      /`PRICE_CHANGED`.*`details\.currentPrice`: it is the unit price for the quantity you asked for/,
    )
  })
})
