import { isContractProcedure } from '@orpc/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from './index.ts'

type Schema = { properties?: Record<string, unknown> } & Record<string, unknown>

/** The names of all fields of an input, at any depth, as `a.b`. */
function fieldsOf(schema: unknown, path = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => fieldsOf(each, path))
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, ...rest } = schema as Schema
  return [
    ...Object.entries(properties).flatMap(([name, each]) => {
      const field = path === '' ? name : `${path}.${name}`
      return [field, ...fieldsOf(each, field)]
    }),
    ...Object.values(rest).flatMap((each) => fieldsOf(each, path)),
  ]
}

function inputs(router: object = contract, path: string[] = []): [string, string[]][] {
  return Object.entries(router).flatMap(([name, part]: [string, object]) => {
    if (!isContractProcedure(part)) return inputs(part, [...path, name])
    const schema = part['~orpc'].inputSchema
    if (!(schema instanceof z.ZodType)) return []
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    return [[[...path, name].join('.'), fieldsOf(json)] as [string, string[]]]
  })
}

test('the page passes no path to the core, and an address only where a person enters one', () => {
  const places = /(url|address|path|host|hostname|port|folder|directory|filename)$/i
  const found = inputs().flatMap(([procedure, fields]) =>
    [...new Set(fields)]
      .filter((field) => places.test(field))
      .map((each) => `${procedure} ${each}`),
  )
  expect(inputs().length).toBeGreaterThan(200)
  expect(found).toEqual([
    // The address of a service, typed or confirmed by a person.
    'accounts.check baseUrl',
    'accounts.connect baseUrl',
    // The sandbox's world: a webhook's receiver, a product's page, and paths of its own requests.
    'sandbox.money.setWebhook url',
    'sandbox.world.createProduct url',
    'sandbox.world.changeProduct change.url',
    'sandbox.control.setFaults match.path',
    'sandbox.control.requests path',
    // A handler of this computer; the schema rejects every other host, as for its `probe`.
    'sandbox.certificate.start url',
    // Behind the second proof.
    'network.setProxy proxy.address',
  ])
})

test('the certificate reaches no other computer', () => {
  const { inputSchema } = contract.sandbox.certificate.start['~orpc']
  const here = 'http://localhost:3000/hook'
  const accepts = (input: unknown): boolean =>
    inputSchema instanceof z.ZodType && inputSchema.safeParse(input).success
  expect(accepts({ url: here, probe: 'http://[::1]:3000/state' })).toBe(true)
  expect(accepts({ url: 'https://shop.example/hook', probe: here })).toBe(false)
  expect(accepts({ url: here, probe: 'http://localhost.shop.example/state' })).toBe(false)
})
