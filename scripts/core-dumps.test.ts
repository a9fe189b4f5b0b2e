import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { withoutCoreDumps } from './lib/core-dumps.mjs'

const run = promisify(execFile)
/** Prints the limits of a process and of its child, then its arguments. */
const limits = `
  const { execFileSync } = require('node:child_process')
  const text = require('node:fs').readFileSync('/proc/self/limits', 'utf8')
  const own = /^Max core file size +(\\S+) +(\\S+)/m.exec(text).slice(1)
  const child = execFileSync('/bin/sh', ['-c', 'ulimit -c; ulimit -Hc'], { encoding: 'utf8' })
  const given = process.argv.slice(1)
  process.stdout.write(JSON.stringify({ own, child: child.trim().split('\\n'), given }))`

test.skipIf(process.platform !== 'linux')(
  'a program started without core dumps, and its children, can’t turn them on again',
  async () => {
    const given = ['with space', '$HOME', '"quoted"', '']
    const { stdout } = await run(
      ...withoutCoreDumps(process.execPath, ['-e', limits, '--', ...given]),
    )
    expect(JSON.parse(stdout)).toEqual({ own: ['0', '0'], child: ['0', '0'], given })
  },
)

test('starts a program unchanged on Windows, which has no such limit', () => {
  expect(withoutCoreDumps('node', ['a b'], 'win32')).toEqual(['node', ['a b']])
})
