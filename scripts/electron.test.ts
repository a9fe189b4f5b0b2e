import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { electronBinary, hasDisplay } from './lib/electron-binary.mjs'
import { downloadElectron, downloadWatch, failureMemory } from './lib/electron-download.mjs'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-electron-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return join(folder, path)
}

describe('the Electron executable', () => {
  test('is at the path in path.txt', () => {
    write('electron/path.txt', 'electron')
    const binary = write('electron/dist/electron', '')
    expect(electronBinary({ folder, env: {} })).toBe(binary)
  })

  test('is missing when path.txt exists but the file doesn’t, as after an interrupted download', () => {
    write('electron/path.txt', 'electron')
    expect(electronBinary({ folder, env: {} })).toBeUndefined()
    expect(electronBinary({ folder: join(folder, 'none'), env: {} })).toBeUndefined()
  })

  test('can be overridden, and is then not searched elsewhere', () => {
    write('electron/path.txt', 'electron')
    write('electron/dist/electron', '')
    const other = write('other/electron', '')
    expect(
      electronBinary({ folder, env: { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'other') } }),
    ).toBe(other)
    expect(
      electronBinary({ folder, env: { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'nowhere') } }),
    ).toBeUndefined()
  })

  test('needs a display only on Linux', () => {
    expect(hasDisplay('linux', {})).toBe(false)
    expect(hasDisplay('linux', { DISPLAY: '' })).toBe(false)
    expect(hasDisplay('linux', { DISPLAY: ':0' })).toBe(true)
    expect(hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
    expect(hasDisplay('win32', {})).toBe(true)
  })
})

describe('the download of Electron', () => {
  test('stops when nothing arrives or it takes too long, but not while data arrives', () => {
    const watch = downloadWatch({ still: 20_000, total: 90_000 }, 0)
    expect(watch.look(0, 19_999)).toBeUndefined()
    expect(watch.look(1, 19_999)).toBeUndefined()
    expect(watch.look(1, 39_998)).toBeUndefined()
    expect(watch.look(1, 39_999)).toBe('nothing arrived for 20 s')
    expect(watch.look(2, 89_999)).toBeUndefined()
    expect(watch.look(3, 90_000)).toBe('it took longer than 90 s')
  })

  test('isn’t retried for a day after a failure, unless Electron’s version changed', () => {
    const file = join(folder, 'cache', 'failed')
    const memory = failureMemory(file, '45.4.1')
    const at = Date.UTC(2026, 0, 1)
    const hour = 60 * 60 * 1000
    expect(memory.isFresh(at)).toBe(false)
    memory.remember(at)
    expect(memory.isFresh(at + 24 * hour - 1)).toBe(true)
    expect(memory.isFresh(at + 24 * hour)).toBe(false)
    expect(memory.isFresh(at - 1)).toBe(false)
    expect(failureMemory(file, '45.4.2').isFresh(at)).toBe(false)
    memory.forget()
    expect(memory.isFresh(at)).toBe(false)
  })

  test('stops an installer that receives nothing, and returns the reason', async () => {
    const installer = write('silent.cjs', 'setInterval(() => {}, 1000)')
    expect(await downloadElectron({ still: 600, total: 60_000 }, { installer })).toBe(
      'nothing arrived for 1 s',
    )
  })

  test('returns the first line of a failing installer’s message', async () => {
    const installer = write(
      'failing.cjs',
      "console.error('\\nError: no route to host\\n    at somewhere'); process.exit(1)",
    )
    expect(await downloadElectron({ still: 60_000, total: 60_000 }, { installer })).toBe(
      'Error: no route to host',
    )
  })

  test('describes an unreachable address in plain language', async () => {
    const installer = write(
      'unreachable.cjs',
      "console.error(new TypeError('fetch failed').stack); process.exit(1)",
    )
    expect(await downloadElectron({ still: 60_000, total: 60_000 }, { installer })).toBe(
      'its address can’t be reached',
    )
  })

  test('returns no reason after success', async () => {
    expect(
      await downloadElectron(
        { still: 60_000, total: 60_000 },
        { installer: write('fine.cjs', '') },
      ),
    ).toBeUndefined()
  })
})
