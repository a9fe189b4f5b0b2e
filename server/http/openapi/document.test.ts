import { describe, expect, it } from 'vitest'
import { endpointOf, isOperationId, operationIds } from '../../api/endpoints.ts'
import { openApiDocument } from './document.ts'
import { answerExamples, requestExamples } from './examples.ts'

const document = openApiDocument('http://127.0.0.1:4600', (operation) => operation !== 'testWebhook')
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as { operationId: string; description?: string; parameters: { name: string; schema: unknown }[]; responses: Record<string, unknown> }[]

describe('the OpenAPI document', () => {
  it('describes every operation of both APIs, and says which are not answered yet', () => {
    const expected = operationIds.filter((id) => endpointOf(id).api !== 'dashboard')
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(expected.toSorted())
    expect(operations.filter(({ description }) => description !== undefined).map(({ operationId }) => operationId)).toEqual(['testWebhook'])
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: 'http://127.0.0.1:4600/v1' }] })
  })

  it('refers only to what it holds', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '')
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter((name) => !(name in document.components.schemas))).toEqual([])
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it('tells the type, bounds and default of a parameter as it is once read', () => {
    const products = operations.find(({ operationId }) => operationId === 'listProducts')
    const parameters = new Map((products?.parameters ?? []).map(({ name, schema }) => [name, schema]))
    expect(parameters.get('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 50 })
    expect(parameters.get('page')).toEqual({ type: 'integer', minimum: 1, default: 1 })
    expect(parameters.get('inStock')).toEqual({ type: 'boolean' })
    expect(parameters.get('updatedSince')).toEqual({ type: 'string', format: 'date-time' })
    expect(parameters.get('ids')).toEqual({ type: 'array', items: { type: 'string' }, maxItems: 100 })
  })

  it('lists the errors of an order by status', () => {
    const order = operations.find(({ operationId }) => operationId === 'createOrder')
    expect(Object.keys(order?.responses ?? {})).toEqual(['201', '400', '401', '402', '403', '404', '409', '422', '429', '500', '503'])
    expect(JSON.stringify(order?.responses['409'])).toContain('IDEMPOTENCY_IN_PROGRESS')
  })

  it('gives examples that the schemas accept', () => {
    for (const [id, example] of Object.entries(answerExamples)) {
      const answers = isOperationId(id) ? Object.values(endpointOf(id).answers) : []
      expect(answers[0]?.strict.safeParse(example).error?.issues ?? [], id).toEqual([])
      expect(answers.length, id).toBeGreaterThan(0)
    }
    for (const [id, example] of Object.entries(requestExamples)) {
      const body = isOperationId(id) ? endpointOf(id).body : null
      expect(body?.safeParse(example).success, id).toBe(true)
    }
  })
})
