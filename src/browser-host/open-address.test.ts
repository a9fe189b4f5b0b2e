import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openFile, windowBrowser, writeAddressFile } from './open-address.ts'
import { createOpener } from './opener.ts'

const token = 'TOKENTOKENTOKENTOKENTOKENTOKENTOKENTOKENTOK'
const addresses = { page: `http://keydesk-x.localhost:1/?token=${token}`, entry: null }
const otherUser = 65_534

let folder = ''
const running: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-open-test-'))
  chmodSync(folder, 0o755)
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  vi.unstubAllEnvs()
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Prints everything that another user reads in the command lines of all processes, and in the files
 * named there. Without this user's rights it can read no more than any program of that user.
 */
const spy = `
end=$(( $(date +%s) + 30 ))
echo started
while [ "$(date +%s)" -lt "$end" ]; do
  for each in /proc/[0-9]*/cmdline; do
    line=$(tr '\\0' ' ' < "$each" 2>/dev/null)
    case "$line" in
      *keydesk-mark*)
        echo "line $line"
        for word in $line; do
          case "$word" in
            file://*) cat "\${word#file://}" 2>&1 ;;
            /*/keydesk-mark-*) cat "$word"/*/open-keydesk.html 2>&1 ;;
          esac
        done ;;
    esac
  done
done`

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'another user of this computer (only as root, who can start a process as that user)',
  () => {
    /** The lines that the other user has seen once the opener's command line was read. */
    async function seenWhile(open: (parent: string) => Promise<unknown>): Promise<string> {
      const parent = mkdtempSync(join(folder, 'keydesk-mark-'))
      chmodSync(parent, 0o755)
      writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nsleep 5; exit 0\n', { mode: 0o755 })
      const child = spawn('/bin/sh', ['-c', spy], {
        uid: otherUser,
        gid: otherUser,
        cwd: '/',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      running.push(child)
      await once(child.stdout, 'data')
      vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
      await open(parent)
      let seen = ''
      for await (const part of child.stdout) {
        seen += String(part)
        if (/line .*xdg-open .*\n[^]*\nline /.test(seen)) break
      }
      return seen
    }

    test('reads an address on a command line, which is why Keydesk puts none there @long', async () => {
      const seen = await seenWhile(async (parent) => {
        running.push(
          spawn(join(folder, 'xdg-open'), [`${addresses.page}&${parent}`], {
            stdio: 'ignore',
            detached: false,
          }),
        )
      })
      expect(seen).toContain(token)
    })

    test('reads neither the address nor the file that opens it', async () => {
      const seen = await seenWhile((parent) => openFile(writeAddressFile(addresses, parent).path))
      expect(seen).toContain('open-keydesk.html')
      expect(seen).toContain('Permission denied')
      expect(seen).not.toContain(token)
    })
  },
)

test.skipIf(process.platform === 'win32')(
  'is readable by this user only, whatever the umask',
  () => {
    const before = process.umask(0)
    try {
      const { path, remove } = writeAddressFile(addresses, folder)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
      expect(readFileSync(path, 'utf8')).toContain(token)
      remove()
      expect(existsSync(dirname(path))).toBe(false)
    } finally {
      process.umask(before)
    }
  },
)

describe('the file of an opened address', () => {
  const opened = async (resolves = true) => {
    const spent: (() => void)[] = []
    const kinds: string[] = []
    let path = ''
    const opener = createOpener(
      {
        newAddress(kind, onSpent = () => {}) {
          kinds.push(kind)
          spent.push(onSpent)
          return `http://x.localhost:1/?token=${kind}`
        },
      },
      resolves,
      async (given) => {
        path = given
        return true
      },
    )
    expect(await opener.open()).toBe(true)
    expect(existsSync(path)).toBe(true)
    return { opener, path, spent, kinds }
  }

  test('is deleted when its token is used', async () => {
    const { path, spent, kinds } = await opened()
    spent[0]?.()
    expect(existsSync(dirname(path))).toBe(false)
    expect(kinds).toEqual(['page'])
  })

  test('is deleted after a minute', async () => {
    vi.useFakeTimers()
    const { path } = await opened()
    vi.advanceTimersByTime(60_000)
    expect(existsSync(dirname(path))).toBe(false)
  })

  test('is deleted when Keydesk stops', async () => {
    const { path, opener } = await opened()
    opener.close()
    expect(existsSync(dirname(path))).toBe(false)
  })

  test('contains a second address if a browser may not find the first', async () => {
    const { path, kinds, opener } = await opened(false)
    expect(kinds).toEqual(['page', 'entry'])
    expect(readFileSync(path, 'utf8')).toContain('token=entry')
    opener.close()
  })
})

describe.skipIf(process.platform === 'win32')('a window of its own', () => {
  const program = (...path: string[]): string => {
    const file = join(folder, ...path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '', { mode: 0o755 })
    return file
  }

  test('uses the first known browser on the PATH, also a link to it', () => {
    const first = program('a', 'google-chrome')
    expect(windowBrowser(`${join(folder, 'none')}:${join(folder, 'a')}`)).toBe(first)
    mkdirSync(join(folder, 'b'))
    symlinkSync(first, join(folder, 'b', 'chromium'))
    expect(windowBrowser(`${join(folder, 'a')}:${join(folder, 'b')}`)).toBe(
      join(folder, 'b', 'chromium'),
    )
  })

  test('uses no browser of a snap, which can’t read the file, and nothing that isn’t a program', () => {
    const snap = program('snap', 'bin', 'chromium')
    chmodSync(program('c', 'chromium'), 0o644)
    mkdirSync(join(folder, 'd'))
    symlinkSync(snap, join(folder, 'd', 'chromium'))
    const path = ['c', 'd', 'snap/bin'].map((name) => join(folder, name)).join(':')
    expect(windowBrowser(path)).toBeNull()
    expect(windowBrowser('')).toBeNull()
  })
})
