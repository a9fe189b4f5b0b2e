import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../options.ts'
import { readCommand } from './command.ts'

const url = ['--url', 'http://127.0.0.1:3000/hook']
const read = (...args: string[]) => readCommand(args, () => 42)

test('reads the options, with a random seed and 500 schedules by default', () => {
  expect(read(...url, '--probe', '/state')?.options).toMatchObject({
    start: null,
    schedules: 500,
    seed: 42,
    kills: true,
  })
  expect(read('--help')).toBeNull()
})

test.each([
  [...url],
  [...url, '--probe', '/state', '--log', 'shop.jsonl'],
  ['--probe', '/state'],
  ['--url', 'https://shop.example/hook', '--probe', '/state'],
  ['--url', 'file:///etc/hook', '--probe', '/state'],
  [...url, '--probe', '/state', '--schedules', '0'],
  [...url, '--probe', '/state', '--seed', 'x'],
  [...url, '--probe', '/state', '--replay', 'send it twice'],
  [...url, '--probe', '/state', '--colour'],
])('refuses %j', (...args) => {
  expect(() => read(...args)).toThrow(UsageError)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Runs the command on a handler of the zoo, as a person does. */
async function run(bug: string, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-certify-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(import.meta.dirname, 'zoo/planted.mjs')
  const start = `"${process.execPath}" "${program}" "${folder}" ${bug}`
  const address = `http://127.0.0.1:${await freePort()}/hook`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, '../main.ts'),
      'certify',
      `--url=${address}`,
      '--probe=/state',
      `--start=${start}`,
      '--seed=1',
      '--schedules=10',
      `--json=${join(folder, 'result.json')}`,
      `--junit=${join(folder, 'result.xml')}`,
      ...args,
    ],
    { encoding: 'utf8' },
  )
  const file = (name: string) => readFileSync(join(folder, name), 'utf8')
  return { status, stdout, stderr, file }
}

test('certifies a correct handler', async () => {
  const { status, stdout, stderr, file } = await run('none')
  expect(stderr).toBe('')
  expect(stdout).toContain('Certified: 10 schedules passed.')
  expect(JSON.parse(file('result.json'))).toMatchObject({ certified: true, schedules: 10 })
  expect(file('result.xml')).toContain('failures="0"')
  expect(status).toBe(0)
})

test('shrinks a bug to the steps that matter', async () => {
  const { status, stdout, file } = await run('trusts-delivery-id')
  expect(stdout).toContain('--replay "completed: deliver 1; resend 1"')
  expect(JSON.parse(file('result.json'))).toMatchObject({
    certified: false,
    failures: [{ invariant: 'once' }],
  })
  expect(status).toBe(1)
})

test('repeats a schedule, at other moments if it kills the handler', async () => {
  const { status, stdout } = await run('marks-then-ships', '--replay', 'completed: kill 1 50')
  expect(stdout).toContain('FAILED  No unit is lost')
  expect(status).toBe(1)
})

test('says in one line that a handler does not start', async () => {
  const { status, stderr } = await run('none', '--start', 'exit 3')
  expect(stderr).toBe('The handler ended before it accepted connections.\n')
  expect(status).toBe(2)
})
