import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { temporaryFolder } from '../testing/context.ts'
import { createLog } from './log.ts'
import { createRedactor } from './redact.ts'

test('redacts every key, recognized by its shape or by its text', () => {
  const body = fc.stringMatching(/^[A-Za-z0-9_-]{8,60}$/)
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('svc_test_', 'svc_live_', 'svcs_', 'whsec_'),
      body,
      fc.stringMatching(/^[!-~]{6,80}$/),
      fc.string(),
      (before, prefix, rest, told, after) => {
        const redactor = createRedactor()
        redactor.addSecret(told)
        const cleaned = redactor.clean(`${before} ${prefix}${rest} ${told} ${after}`)
        expect(cleaned).not.toContain(`${prefix}${rest}`)
        expect(cleaned).not.toContain(told)
      },
    ),
  )
})

test('keeps the log small and private, in two files', () => {
  const folder = temporaryFolder()
  const log = createLog(folder.path, systemClock, createRedactor())
  for (let i = 0; i < 500; i++) log.write('test', `${i} ${'x'.repeat(3900)}`)
  const files = readdirSync(join(folder.path, 'logs')).sort()
  expect(files).toEqual(['keydesk.1.log', 'keydesk.log'])
  for (const file of files) {
    const { size, mode } = statSync(join(folder.path, 'logs', file))
    expect(size).toBeLessThan(600_000)
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
  }
  expect(readFileSync(join(folder.path, 'logs', 'keydesk.log'), 'utf8')).toContain('test: 499 ')
  folder.remove()
})
