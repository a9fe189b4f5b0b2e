import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/** A test suite in a project that has only the package. */
const program = `
import { startSandbox } from 'keydesk-sandbox'
const sandbox = await startSandbox({ products: 60 })
const placed = []
for (let at = 0; at < 3; at++) {
  const world = await sandbox.branch()
  const headers = { authorization: 'Bearer ' + world.partner.key, 'content-type': 'application/json' }
  const products = await fetch(world.url + '/products?inStock=true&limit=1', { headers })
  const { results: [{ id, price }] } = await products.json()
  const order = async () => {
    const body = JSON.stringify({ externalId: 'one', items: [{ productId: id, qty: 1, maxUnitPrice: price }] })
    const options = { method: 'POST', headers: { ...headers, 'idempotency-key': 'order-one' }, body }
    return (await fetch(world.url + '/orders?wait=5', options)).status
  }
  await world.faults.next('POST /orders', { status: 503 })
  placed.push(await order(), await order())
  const before = await world.clock.now()
  if ((await world.clock.advance({ days: 7 })) - before < 7 * 86_400_000) throw new Error('no time passed')
  await world.stop()
}
await sandbox.stop()
console.log(JSON.stringify(placed))
`

let folder: string
let tarball: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-pack-'))
  const packed = spawnSync(process.execPath, ['scripts/pack-sandbox.mjs', folder], { cwd: root })
  if (packed.status !== 0) throw new Error(packed.stderr.toString())
  const modules = join(folder, 'empty', 'node_modules')
  mkdirSync(join(modules, 'keydesk-sandbox'), { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  tarball = join(folder, `keydesk-sandbox-${version}.tgz`)
  const into = ['-C', join(modules, 'keydesk-sandbox'), '--strip-components=1']
  execFileSync('tar', ['-xzf', tarball, ...into])
  cpSync(join(root, 'node_modules/better-sqlite3'), join(modules, 'better-sqlite3'), {
    recursive: true,
  })
  writeFileSync(join(folder, 'empty', 'suite.mjs'), program)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('orders in a branch for each test, with nothing but the package @long', () => {
  const suite = spawnSync(process.execPath, ['suite.mjs'], { cwd: join(folder, 'empty') })
  expect(suite.stderr.toString()).toBe('')
  expect(JSON.parse(suite.stdout.toString())).toEqual([503, 201, 503, 201, 503, 201])
}, 60_000)

test('prints one sentence on an old Node, and its options on a supported one', () => {
  const command = join(folder, 'empty', 'node_modules', 'keydesk-sandbox', 'command.js')
  const help = spawnSync(process.execPath, [command, '--help'])
  expect(help.stdout.toString()).toContain('--memory')
  const disguise = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'})`
  const old = spawnSync(process.execPath, ['--import', disguise, command])
  expect(old.stderr.toString()).toBe(
    'keydesk-sandbox needs Node 22.13 or newer; this is Node 20.1.0.\n',
  )
  expect(old.status).toBe(1)
})

test('packs no sources, no source maps, and less than 6 MB', () => {
  const names = execFileSync('tar', ['-tzf', tarball]).toString().trim().split('\n')
  expect(names.filter((name) => /\.map$|(?<!\.d)\.ts$/.test(name))).toEqual([])
  expect(names).toContain('package/THIRD-PARTY-NOTICES.txt')
  expect(names).toContain('package/library.d.ts')
  expect(statSync(tarball).size).toBeLessThan(6_000_000)
})
