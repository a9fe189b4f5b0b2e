import { execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../scripts/lib/paths.mjs'
import type { Ready } from '../server/sandbox-types.ts'

const run = promisify(execFile)

/** A suite as a user of the package writes it: every test orders in a branch of its own. */
const suiteOf = (tests: number) => `
import { expect, test as base } from 'vitest'
import { sandboxFixtures } from 'keydesk-sandbox'

const test = base.extend(sandboxFixtures({ products: 200 }))
for (let at = 1; at <= ${tests}; at++)
  test('orders in its own world, ' + at, async ({ world }) => {
    const headers = { authorization: 'Bearer ' + world.partner.key, 'content-type': 'application/json' }
    const products = await fetch(world.url + '/products?inStock=true&limit=1', { headers })
    const { results: [{ id, price }] } = await products.json()
    const items = [{ productId: id, qty: 1, maxUnitPrice: price }]
    const body = JSON.stringify({ externalId: 'mine', items })
    const order = await fetch(world.url + '/orders?wait=5', { method: 'POST', headers, body })
    expect(await order.json()).toMatchObject({ externalId: 'mine', status: 'completed' })
  })
`

const commandEnv = (cache: string) => ({
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
  npm_config_cache: cache,
  npm_config_audit: 'false',
  npm_config_fund: 'false',
})

/** From the command to a delivered order, with an empty npm cache. */
async function timeToFirstOrder(folder: string, tarball: string): Promise<number> {
  const began = performance.now()
  const file = join(folder, 'ready.json')
  const child = spawn(
    'npx',
    ['--yes', `--package=${tarball}`, '--', 'keydesk-sandbox', '--memory', '--port=0'].concat([
      '--exit-with-parent',
      `--ready-file=${file}`,
    ]),
    { cwd: folder, env: commandEnv(join(folder, 'cache')), stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  try {
    while (!existsSync(file)) {
      if (child.exitCode !== null) throw new Error('The command ended before it was ready.')
      await delay(20)
    }
    const { baseUrl, demo } = JSON.parse(readFileSync(file, 'utf8')) as Ready
    const headers = {
      authorization: `Bearer ${demo?.partnerTestKey ?? ''}`,
      'content-type': 'application/json',
    }
    const listed = await fetch(`${baseUrl}/products?inStock=true&limit=1`, { headers })
    const { results } = (await listed.json()) as { results: { id: string; price: number }[] }
    const items = results.map(({ id, price }) => ({ productId: id, qty: 1, maxUnitPrice: price }))
    const body = JSON.stringify({ externalId: 'first', items })
    const order = await fetch(`${baseUrl}/orders?wait=25`, { method: 'POST', headers, body })
    const { status } = (await order.json()) as { status: string }
    if (status !== 'completed') throw new Error(`The first order is ${status}.`)
    return Math.round(performance.now() - began)
  } finally {
    child.stdin.end()
    await ended
  }
}

/** A Vitest suite whose tests each have a branch, in a project that only installed the package. */
async function timeSuite(folder: string, tarball: string, tests: number) {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  const env = commandEnv(join(folder, 'cache'))
  await run('npm', ['install', '--save-dev', tarball], { cwd: project, env })
  for (const name of ['vitest', 'vite', '@vitest'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'suite.test.js'), suiteOf(tests))
  const began = performance.now()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const report = ['--reporter=json', '--outputFile=report.json']
  await run(process.execPath, [vitest, 'run', ...report], { cwd: project, env })
  const ms = Math.round(performance.now() - began)
  const { numPassedTests } = JSON.parse(readFileSync(join(project, 'report.json'), 'utf8')) as {
    numPassedTests: number
  }
  return { passed: numPassedTests, ms }
}

/**
 * The npm package of the sandbox in an empty folder outside the repository: from one command to the
 * first delivered order, and a Vitest suite with a world per test.
 */
export default async function benchPackage({
  log,
  tests = 50,
}: {
  log: (text: string) => void
  tests?: number
}) {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-package-'))
  try {
    await run(process.execPath, ['scripts/pack-sandbox.mjs', folder], { cwd: root })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    const tarball = join(folder, `keydesk-sandbox-${version}.tgz`)
    const firstOrderMs = await timeToFirstOrder(folder, tarball)
    log(`the first order is delivered ${firstOrderMs} ms after the command`)
    const suite = await timeSuite(folder, tarball, tests)
    log(`${suite.passed} tests, each with its own branch, in ${suite.ms} ms`)
    return { figures: { firstOrderMs, suite: { tests, ...suite } } }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
