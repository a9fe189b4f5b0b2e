import { afterAll, expect, it } from 'vitest'
import { apiRoots } from '../../../api/endpoints/endpoint.ts'
import { endpointOf } from '../../../api/endpoints/endpoints.ts'
import { startBackend } from '../../../testing/backend-process.ts'
import { publicOperations } from '../document.ts'
import type { PublicOperation } from './example.ts'
import { requestExamples } from './examples.ts'
import { parametersOf } from '../parameters.ts'

const backend = startBackend(['--memory', '--port', '0', '--no-limits'])
afterAll(async () => {
  backend.child.kill('SIGKILL')
  await backend.ended
})

type Parameter = { name: string; in: string; example?: unknown }

/** Builds an operation's request from the document's examples, with all optional parameters. */
function requestOf(operation: PublicOperation) {
  const endpoint = endpointOf(operation)
  const parameters = (parametersOf(operation, endpoint) as Parameter[]).filter(
    ({ example }) => example !== undefined,
  )
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query')
      .map(({ name, example }) => [name, String(example)]),
  )
  const path = parameters
    .filter((each) => each.in === 'path')
    .reduce(
      (whole, { name, example }) => whole.replace(`{${name}}`, String(example)),
      endpoint.path,
    )
  const headers = parameters
    .filter((each) => each.in === 'header')
    .map(({ name, example }): [string, string] => [name, `${operation} ${String(example)}`])
  return {
    api: endpoint.api,
    method: endpoint.method,
    target: `${apiRoots[endpoint.api]}${path}?${query}`,
    headers,
    body: requestExamples[operation],
  }
}

it('every example can be sent unchanged to a fresh sandbox @long', async () => {
  const { baseUrl, dashboardUrl, dashboardToken, demo } = await backend.ready
  const keys = { partner: demo?.partnerTestKey, seller: demo?.sellerKey, dashboard: dashboardToken }
  const send = async ({ api, method, target, headers, body }: ReturnType<typeof requestOf>) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(new URL(target, baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${keys[api]}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(headers),
      },
      ...json,
    })
    return { status: answer.status, text: await answer.text() }
  }
  const { partnerId } = JSON.parse((await send(requestOf('ping'))).text) as { partnerId: string }
  const webhook = new URL(`${dashboardUrl}/partners/${partnerId}/webhook`).pathname
  expect(
    (
      await send({
        api: 'dashboard',
        method: 'PUT',
        target: webhook,
        headers: [],
        body: { url: 'http://127.0.0.1:9/' },
      })
    ).status,
  ).toBe(200)

  const told: Record<string, string> = {}
  for (const operation of publicOperations) {
    const { status, text } = await send(requestOf(operation))
    told[operation] = status < 300 ? 'done' : text
  }
  const { refundDispute, ...others } = told
  expect(Object.entries(others).filter(([, what]) => what !== 'done')).toEqual([])
  expect(refundDispute, 'resolved by the replacement before').toContain('DISPUTE_RESOLVED')
}, 60_000)

it('the example searches find the example product @long', async () => {
  const { baseUrl, demo } = await backend.ready
  const { target } = requestOf('listProducts')
  const answer = await fetch(new URL(target, baseUrl), {
    headers: { authorization: `Bearer ${demo?.partnerTestKey}` },
  })
  expect(await answer.json()).toMatchObject({
    total: 1,
    results: [{ id: 'prd_10006', name: 'Hollow Tide 2' }],
  })
})
