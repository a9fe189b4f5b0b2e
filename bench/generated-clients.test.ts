import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWithVite } from './generated-clients/bundle.ts'
import { heyApi, openapiFetch, orval } from './generated-clients/programs.ts'
import { root } from '../scripts/lib/paths.mjs'
import { startBackend } from '../server/testing/backend-process.ts'

/*
 * The generators are installed for this test only: they bring 157 packages that nothing else needs.
 */
const generators = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'typescript@5.9.3',
]
const run = promisify(execFile)
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
}

const compilerOptions = {
  target: 'es2024',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
}

let folder = ''
const backend = startBackend(['--memory', '--port', '0', '--products', '60'])
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-generators-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  await run('npm', ['install', '--save-exact', ...quiet, ...generators], { cwd: folder, env })
  const { baseUrl } = await backend.ready
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${baseUrl}/openapi.json`)).text())
}, 300_000)
afterAll(async () => {
  backend.child.kill('SIGKILL')
  await backend.ended
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

type Generated = { name: string; program: string; command: (out: string) => string[] }
const orvalConfig = (out: string, baseUrl: string) =>
  `export default ${JSON.stringify({
    api: {
      input: join(folder, 'openapi.json'),
      output: { target: join(out, 'client.ts'), client: 'fetch', baseUrl },
    },
  })}`

test.each<Generated>([
  {
    name: 'openapi-typescript',
    program: openapiFetch,
    command: (out) => ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', `${out}/schema.ts`],
  },
  {
    name: '@hey-api/openapi-ts',
    program: heyApi,
    command: (out) => ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', out],
  },
  {
    name: 'orval',
    program: orval,
    command: (out) => ['orval/dist/bin/orval.mjs', '--config', `${out}/../orval.config.mjs`],
  },
])(
  'the client of $name compiles strictly, orders, repeats and reads its keys',
  async ({ name, program, command }) => {
    const { baseUrl, demo } = await backend.ready
    const project = join(folder, name.replaceAll('/', '-'))
    const generated = join(project, 'generated')
    mkdirSync(generated, { recursive: true })
    writeFileSync(join(project, 'orval.config.mjs'), orvalConfig(generated, baseUrl))
    const [script = '', ...args] = command(generated)
    await run(process.execPath, [join(folder, 'node_modules', script), ...args], {
      cwd: folder,
      env,
    })
    expect(readdirSync(generated)).not.toEqual([])
    writeFileSync(join(project, 'program.ts'), program)
    const config = { compilerOptions, files: ['program.ts'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
    const checked = await run('tsc', ['-p', '.'], { cwd: project }).catch(
      (error: { stdout: string }) => error,
    )
    expect(checked.stdout).toBe('')

    const key = demo?.partnerTestKey ?? ''
    const listed = await fetch(`${baseUrl}/products?inStock=true&limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { results } = (await listed.json()) as { results: { id: string; price: number }[] }
    const [product] = results
    const bundle = await buildWithVite(join(project, 'program.ts'), project)
    const values = [baseUrl, key, String(product?.price), product?.id ?? '']
    const { stdout } = await run(process.execPath, [bundle, ...values])
    expect(JSON.parse(stdout)).toEqual({
      status: 'completed',
      total: product?.price,
      keys: 1,
      again: true,
      refused: 'PRICE_CHANGED',
    })
  },
  180_000,
)
