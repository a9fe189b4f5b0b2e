import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/* Runs the examples of docs/guide/sandbox.md in an empty folder. */

const guide = readFileSync(join(root, 'docs/guide/sandbox.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-guide-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A separate folder with a link to the checkout, as in a CI job. */
function jobFolder(name: string): string {
  const job = join(folder, name)
  mkdirSync(job)
  symlinkSync(root, join(job, 'keydesk'))
  return job
}

type Ended = { status: unknown; output: string }

function run(program: string, args: readonly string[], cwd: string, path: string): Promise<Ended> {
  return new Promise((done) => {
    execFile(
      program,
      [...args],
      { cwd, timeout: 90_000, env: { ...process.env, PATH: path, HOME: folder, KEYDESK: root } },
      (error, stdout, stderr) => {
        done({
          status: error === null ? 0 : (error.code ?? error.signal),
          output: `${stdout}${stderr}`,
        })
      },
    )
  })
}

const programs = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`

test('its program starts a sandbox, seeds it, controls it, checks the results, and stops it @long', async () => {
  const code = blocks('js')
  expect(code.length).toBeGreaterThan(10)
  const job = jobFolder('program')
  writeFileSync(join(job, 'checks.mjs'), code.join('\n'))
  expect(await run(process.execPath, ['checks.mjs'], job, programs)).toEqual({
    status: 0,
    output: '',
  })
}, 120_000)

test('its commands start a sandbox, call it, and stop it with status 0 @long', async () => {
  const job = jobFolder('commands')
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  // People type the commands in the checkout; the test must not write into it.
  mkdirSync(join(job, 'bin'))
  writeFileSync(join(job, 'bin/npm'), `#!/bin/sh\nexec "${npm}" --prefix "${root}" "$@"\n`)
  chmodSync(join(job, 'bin/npm'), 0o755)
  const { status, output } = await run(
    'bash',
    ['--norc', '-euc', `${blocks('sh').join('\n')}\necho "ended with $?"`],
    job,
    `${join(job, 'bin')}:${programs}`,
  )
  expect({ status, output }).toEqual({
    status: 0,
    output: expect.stringMatching(
      /^\{"ok":true,.*"mode":"test".*\}\{"now":".*"offsetMs":86400000\}ended with 0\n$/,
    ),
  })
}, 120_000)

test('its CI jobs start a sandbox that responds @long', async () => {
  const scripts = blocks('yaml').map((yaml) =>
    /^( +)(?:- |run: )\|\n((?:\1  .*\n)+)/m.exec(yaml)?.[2]?.replaceAll(/^ +/gm, ''),
  )
  expect(scripts).toHaveLength(2)
  expect(scripts[0]).toBe(scripts[1])
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const script = (scripts[0] ?? '').replaceAll('4600', String(port))
  const { status, output } = await run(
    'bash',
    ['-ec', `${script}\nkill $!\nwait $!\necho "ended with $?"`],
    jobFolder('ci'),
    programs,
  )
  expect({ status, output }).toEqual({ status: 0, output: '{"ok":true}ended with 0\n' })
}, 120_000)
