import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readWorldFile, worldFile, type WorldFile } from '../api/dashboard/worlds.ts'
import { startSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-types.ts'
import { repeatableOptions, type Send, session, tour } from '../testing/repeatable-tour.ts'
import { testOptions } from '../testing/sandbox-options.ts'
import { replayMain } from './command.ts'
import { replayWorld } from './replay.ts'
import { replayReport } from './report.ts'

const silent = { info: () => undefined, error: (message: string) => expect.fail(message) }
const SECRET = 'MY-OWN-GAME-KEY-7QX2'

let folder: string
let file: WorldFile
let text: string

async function read(sandbox: Sandbox): Promise<Response> {
  const { dashboardUrl, dashboardToken } = sandbox.ready
  return await fetch(`${dashboardUrl}/world`, {
    headers: { authorization: `Bearer ${dashboardToken}` },
  })
}

/** Uploads, mistakes, and calls whose answers are never the same. */
const more =
  ({ ready }: Sandbox) =>
  async (send: Send): Promise<void> => {
    const seller = ready.demo?.sellerKey ?? ''
    const offers = await send('GET', '/v1/seller/offers?limit=1', seller)
    const path = `/v1/seller/offers/${offers.body.results?.[0]?.id ?? ''}/keys`
    await send('POST', path, seller, { keys: [SECRET, ` ${SECRET} `, `${SECRET}-B`] })
    await send('POST', path, seller, { keys: [`${SECRET}-B`, `${SECRET}-C`] })
    await send('POST', path, seller, { kesy: [SECRET] })
    await send('GET', '/v1/ping', SECRET)
    await send('GET', '/nowhere?key=svc_live_secret', 'none')
    await send('POST', '/dashboard/branches', 'dashboard')
    await send('POST', '/sandbox-proof', 'dashboard', { nonce: 'a'.repeat(43) })
    await send('GET', path.replace('/keys', ''), seller)
  }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-world-'))
  const sandbox = await startSandbox(repeatableOptions('one'), silent)
  await session(sandbox, tour(sandbox))
  // A reset issued new keys.
  await session(sandbox, async (send) => {
    const { answer } = await send('POST', '/dashboard/reset', 'dashboard', {})
    const { demo } = JSON.parse(answer) as Pick<Sandbox['ready'], 'demo'>
    await more({ ...sandbox, ready: { ...sandbox.ready, demo } })(send)
  })
  await read(sandbox)
  text = await (await read(sandbox)).text()
  file = worldFile.strict.parse(JSON.parse(text))
  await sandbox.stop()
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('a world file repeats every answer of a session', async () => {
  expect(file.requests).toHaveLength(48)
  const uploads = file.requests.filter(
    ({ path }) => path.endsWith('/keys') && path.includes('off_'),
  )
  expect(uploads.map(({ answer }) => answer.status)).toEqual([200, 200, 400])
  expect(uploads[0]?.answer.body).toMatchObject({ added: 2, duplicates: 1 })
  expect(file.changed).toBe(0)
  expect(await replayWorld(file, startSandbox, silent)).toEqual([])
}, 60_000)

test('contains none of the secrets that were sent or issued', () => {
  expect(text).not.toContain(SECRET)
  expect(text).not.toMatch(/(svc_test_|svc_live_|svcs_|whsec_)[\w-]/)
  expect(new Set(file.requests.map(({ key }) => key.split('/')[0]))).toEqual(
    new Set(['0', 'dashboard', '7', '38', 'unknown', 'none']),
  )
})

test('reports an answer that differs, with the values, and exits with status 1', async () => {
  const path = join(folder, 'bug.world')
  const written: string[] = []
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((said) => {
    written.push(String(said))
    return true
  })
  const errors = vi.spyOn(process.stderr, 'write').mockImplementation((said) => {
    written.push(String(said))
    return true
  })
  try {
    writeFileSync(path, text)
    expect(await replayMain([path])).toBe(0)
    const [first, ...rest] = file.requests
    const changed = {
      ...file,
      at: '2026-05-01T00:00:00.001Z',
      requests: [first, ...rest.slice(-1)],
    }
    writeFileSync(path, JSON.stringify(changed))
    expect(await replayMain([path])).toBe(1)
    writeFileSync(path, '{}')
    expect(await replayMain([path])).toBe(2)
    expect(await replayMain([])).toBe(2)
  } finally {
    output.mockRestore()
    errors.mockRestore()
  }
  expect(written[0]).toBe('48 of 48 answers are the same.\n')
  expect(written[1]).toMatch(
    /^Request 1, GET \/v1\/products\S+: status 200, another body\n {2}nextCursor: /,
  )
  expect(written[2]).toBe(`${path} isn't a world file.\n`)
}, 60_000)

test('opens as a branch in the state after its requests, with the answers that differ', async () => {
  const sandbox = await startSandbox(testOptions(), silent)
  const { dashboardUrl, dashboardToken } = sandbox.ready
  const branches = async (body?: unknown) =>
    (await (
      await fetch(`${dashboardUrl}/branches`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${dashboardToken}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    ).json()) as Sandbox['ready'] & { id: string; name: string | null; replay: unknown }
  const before = file.requests.findIndex(({ path }) => path.startsWith('/v1/orders'))
  const world = { ...file, requests: file.requests.slice(0, before + 1) }
  const orders = async ({ baseUrl, demo }: Sandbox['ready']) => {
    const answer = await fetch(`${baseUrl}/orders`, {
      headers: { authorization: `Bearer ${demo?.partnerLiveKey ?? ''}` },
    })
    return ((await answer.json()) as { total: number }).total
  }
  const bug = await branches({ name: 'bug', world })
  expect(bug).toMatchObject({ id: 'br_1', name: 'bug', replay: { requests: 2, different: 0 } })
  const earlier = await branches({ world: { ...file, requests: world.requests.slice(0, before) } })
  expect(await orders(bug)).toBe((await orders(earlier)) + 1)

  const changed = world.requests.map((request) => ({
    ...request,
    answer: { ...request.answer, status: 418, sha256: '' },
  }))
  const differs = await branches({ world: { ...world, requests: changed } })
  expect(differs).toMatchObject({
    name: null,
    replay: { different: 2, report: expect.stringContaining('status 200 instead of 418') },
  })
  expect(await branches()).toMatchObject({ results: [bug, earlier, differs] })
  await sandbox.stop()
}, 60_000)

test.each([
  ['foreign', 'hello'],
  ['foreign', '{"format":"other","version":1}'],
  ['foreign', '[]'],
  ['damaged', () => text.slice(0, text.length / 2)],
  ['damaged', () => JSON.stringify({ ...file, requests: [{}] })],
  ['newer', () => JSON.stringify({ ...file, version: 2 })],
] as const)('is recognized as %s', (problem, given) => {
  expect(readWorldFile(typeof given === 'string' ? given : given())).toBe(problem)
})

test('names a masked part, and another status', () => {
  const [request] = file.requests
  if (request === undefined) throw new Error('no request')
  const { method, path, answer } = request
  const report = (received: Partial<typeof answer>) =>
    replayReport(file, [
      { no: 1, method, path, expected: answer, received: { ...answer, ...received } },
    ])
  expect(report({ sha256: 'other' })).toContain('in a masked or a large part of the body')
  const refused = report({ status: 500, body: { error: 'x' } })
  expect(refused).toContain('status 500 instead of 200')
  expect(refused).toContain('error: "x" instead of nothing')
})

test('is refused for a sandbox that is not repeatable', async () => {
  const sandbox = await startSandbox(testOptions(), silent)
  const answer = await read(sandbox)
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('--repeatable'),
  ])
  await sandbox.stop()
})
