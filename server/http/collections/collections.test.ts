import { afterAll, expect, it } from 'vitest'
import { endpointOf } from '../../api/endpoints/endpoints.ts'
import { startBackend } from '../../testing/backend-process.ts'
import { publicOperations } from '../openapi/document.ts'
import type { postmanCollection } from './collections.ts'

const backend = startBackend(['--memory', '--port', '0', '--products', '60', '--no-limits'])
afterAll(async () => {
  backend.child.kill('SIGKILL')
  await backend.ended
})

type Sent = { method: string; url: string; headers: Record<string, string>; body: string | null }

/** Reads an `.http` file as an editor does. */
function readHttpFile(text: string, values: Readonly<Record<string, string>>): Sent[] {
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  return filled
    .split(/^### .*\n/m)
    .slice(1)
    .map((block) => {
      const [head = '', ...body] = block.split('\n\n')
      const [line = '', ...headers] = head.split('\n').filter((each) => !/^#|^$/.test(each))
      const [method = '', url = ''] = line.split(' ')
      const pairs = headers.map((header) => header.split(': ') as [string, string])
      const json = body.join('\n\n').trim()
      return { method, url, headers: Object.fromEntries(pairs), body: json === '' ? null : json }
    })
}

it('the .http file has every operation, and each request is one that the service understands @long', async () => {
  const { baseUrl, demo } = await backend.ready
  const text = await (await fetch(`${baseUrl}/requests.http`)).text()
  expect(text).toContain(`@baseUrl = ${baseUrl}\n`)
  expect([...text.matchAll(/^# @name (\w+)$/gm)].map(([, name]) => name)).toEqual(publicOperations)
  const keys = { partnerKey: demo?.partnerTestKey ?? '', sellerKey: demo?.sellerKey ?? '' }
  const sent = readHttpFile(text, { baseUrl, ...keys })
  expect(sent).toHaveLength(publicOperations.length)
  const refused: unknown[] = []
  for (const { method, url, headers, body } of sent) {
    const answer = await fetch(url, { method, headers, body })
    const said = await answer.text()
    // The demo partner has no webhook endpoint, and the ids of the examples are invented.
    const expected = url.endsWith('/webhooks/test') || /must|unknown route/.test(said) === false
    if (!expected || answer.status === 401 || answer.status >= 500)
      refused.push([method, url, said])
  }
  expect(refused).toEqual([])
})

it('the Postman collection has the same requests, by API @long', async () => {
  const { baseUrl } = await backend.ready
  const answer = await fetch(`${baseUrl}/postman.json`)
  const collection = (await answer.json()) as ReturnType<typeof postmanCollection>
  expect(collection.variable[0]).toEqual({ key: 'baseUrl', value: baseUrl })
  const all = collection.item.flatMap(({ item }) => item)
  expect(all.map(({ name }) => name).toSorted()).toEqual(
    publicOperations.map((operation) => endpointOf(operation).summary).toSorted(),
  )
  expect(collection.item.map(({ name }) => name)).toEqual(['Partner', 'Seller'])
  const order = all.find(
    ({ request }) => request.method === 'POST' && request.url.raw === '{{baseUrl}}/orders',
  )
  expect(JSON.parse(order?.request.body?.raw ?? '')).toHaveProperty('items')
})
