import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installedUpdates } from './installation.ts'

const source = { address: null, keys: [] }
let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'keydesk-installation-')))
  for (const version of ['1.4.2', '1.5.0']) {
    mkdirSync(join(folder, `${version}-aa`))
    writeFileSync(join(folder, `${version}-aa`, 'package.json'), JSON.stringify({ version }))
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const running = () => installedUpdates(join(folder, '1.4.2-aa'), source, () => {})
const link = (version: string): void => symlinkSync(`${version}-aa`, join(folder, 'current'))

it('isn’t an installation without the package’s link', () => {
  expect(running()).toBeUndefined()
})

it('reports the version that was installed while it runs', () => {
  link('1.4.2')
  expect(running()?.installed()).toBeNull()
  rmSync(join(folder, 'current'))
  link('1.5.0')
  expect(running()?.installed()).toBe('1.5.0')
})

it('reports nothing while the package is replaced', () => {
  link('1.4.2')
  const updates = running()
  rmSync(join(folder, 'current'))
  expect(updates?.installed()).toBeNull()
  link('1.6.0')
  expect(updates?.installed()).toBeNull()
})

it('shows a command that names the file and nothing else', () => {
  link('1.4.2')
  expect(running()?.command?.("/home/o'neil/$(x).deb")).toEqual({
    line: String.raw`sudo apt install '/home/o'\''neil/$(x).deb'`,
    steps: 'keep-running',
  })
})
