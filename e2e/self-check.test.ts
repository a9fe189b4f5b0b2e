import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/lib/paths.mjs'
import { cleanEnvironment } from './support/processes.ts'

test('keydesk --self-check starts the window, the core, a worker and the sandbox, and reports them', () => {
  const home = mkdtempSync(join(tmpdir(), 'keydesk-self-check-home-'))
  mkdirSync(join(home, 'run'), { mode: 0o700 })
  const checked = spawnSync(process.execPath, ['e2e/electron-double/run-self-check.ts', home], {
    cwd: root,
    encoding: 'utf8',
    env: cleanEnvironment(home),
  })
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  expect(checked.status, checked.stderr).toBe(0)
  expect(checked.stdout.split('\n')).toHaveLength(2)
  expect(JSON.parse(checked.stdout)).toMatchObject({
    ok: true,
    failure: null,
    checks: { window: { ok: true }, worker: { ok: true }, sandbox: { ok: true } },
  })
})
