import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { coreUpdates } from './core-updates.ts'
import { install, installationOf } from './installation.ts'

const packaged = { isPackaged: true }
let folder: string
let image: string
let file: string
let relaunched: unknown[]
const app = { relaunch: (options?: unknown) => void relaunched.push(options) }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-installation-'))
  image = join(folder, 'Keydesk.AppImage')
  file = join(folder, 'update')
  writeFileSync(image, 'old')
  writeFileSync(file, 'new', { mode: 0o600 })
  relaunched = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const linux = (env: Record<string, string>, program = '/tmp/.mount_K/keydesk', files = [image]) =>
  installationOf(packaged, {
    platform: 'linux',
    env,
    program,
    isFile: (path) => files.includes(path),
  })

const mac = { platform: 'darwin', env: {}, program: '', isFile: () => true } as const

it('recognizes how it was installed', () => {
  const started = { APPIMAGE: image, APPDIR: '/tmp/.mount_K' }
  expect(linux(started)).toEqual({ kind: 'appimage', path: image })
  expect(installationOf(packaged, { ...mac, platform: 'win32' })).toEqual({ kind: 'nsis' })
  expect(installationOf(packaged, mac)).toEqual({ kind: 'dmg' })
  expect(installationOf({ isPackaged: false }, mac)).toBeNull()
  const debian = '/opt/Keydesk/keydesk'
  const listed = '/var/lib/dpkg/info/keydesk-desktop.list'
  // Also when another program's image started it.
  expect(linux(started, debian, [image, listed])).toEqual({ kind: 'deb' })
  expect(linux({}, debian, [])).toBeNull()
  const flatpak = { FLATPAK_ID: 'app.keydesk.Keydesk' }
  expect(linux(flatpak, '/app/lib/keydesk/keydesk')).toEqual({ kind: 'flatpak' })
  expect(linux({}, '/app/lib/keydesk/keydesk')).toBeNull()
  // An app that was only unpacked, also when a Flatpak or another program's image started it.
  expect(linux({})).toBeNull()
  expect(linux(flatpak, '/home/k/keydesk')).toBeNull()
  expect(linux(started, '/home/k/keydesk')).toBeNull()
  expect(linux({ ...started, APPDIR: '' })).toBeNull()
  expect(linux(started, '/tmp/.mount_K/keydesk', [])).toBeNull()
})

it('replaces the image in one step and starts it after this process', () => {
  install({ kind: 'appimage', path: image }, file, app)
  expect(readFileSync(image, 'utf8')).toBe('new')
  expect(statSync(image).mode & 0o777).toBe(0o755)
  expect(relaunched).toEqual([{ execPath: image, args: [] }])
  expect(readdirSync(folder).toSorted()).toEqual(['Keydesk.AppImage', 'update'])
})

it('keeps the installed image when it can’t be replaced', () => {
  rmSync(image)
  mkdirSync(join(image, 'in the way'), { recursive: true })
  expect(() => install({ kind: 'appimage', path: image }, file, app)).toThrow(
    /EISDIR|ENOTEMPTY|EEXIST/,
  )
  expect(relaunched).toEqual([])
  expect(readdirSync(folder).toSorted()).toEqual(['Keydesk.AppImage', 'update'])
})

it('runs the installer of Windows without a question, apart from this process', () => {
  const started: unknown[] = []
  let released = 0
  const start = (...args: unknown[]) => {
    started.push(args)
    return { unref: () => void (released += 1) }
  }
  install({ kind: 'nsis' }, file, app, start as unknown as Parameters<typeof install>[3])
  expect(started).toEqual([
    [file, ['--updated', '/S', '--force-run'], { detached: true, stdio: 'ignore' }],
  ])
  expect(released).toBe(1)
})

it('asks main to install only the file that was applied', () => {
  const asked: string[] = []
  const updates = coreUpdates('appimage', { address: null, keys: [] }, (path) => asked.push(path))
  updates.restart()
  expect(asked).toEqual([])
  updates.apply?.(file)
  expect(asked).toEqual([])
  updates.restart()
  expect(asked).toEqual([file])
  expect(updates.platform).toBe(`linux-${process.arch}-appimage`)
})

it('tells a person how to install where it can’t', () => {
  const source = { address: null, keys: [] }
  const of = (kind: 'deb' | 'flatpak' | 'dmg') => {
    const updates = coreUpdates(kind, source, () => expect.unreachable())
    updates.restart()
    return [updates.platform, updates.apply, updates.command?.("/home/o'neil/u")]
  }
  const path = String.raw`'/home/o'\''neil/u'`
  expect(of('deb')).toEqual([
    `linux-${process.arch}-desktop-deb`,
    undefined,
    { line: `sudo apt install ${path}`, steps: 'quit-first' },
  ])
  expect(of('flatpak')).toEqual([
    `linux-${process.arch}-flatpak`,
    undefined,
    { line: `flatpak install --user ${path}`, steps: 'quit-first' },
  ])
  expect(of('dmg')).toEqual([
    `macos-${process.arch}-dmg`,
    undefined,
    { line: `open ${path}`, steps: 'drag-to-applications' },
  ])
})
