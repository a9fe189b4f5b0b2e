import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changedPrograms } from './program-files.ts'

const programs = {
  'package.json': '{"type":"module"}',
  'out/core/core-entry.js': 'start()',
  'node_modules/better-sqlite3/prebuilds/linux-x64.node': 'native code',
}
let archive = ''

const write = (name: string, content: string): void => {
  const path = join(`${archive}.unpacked`, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** An archive's header: four numbers, of which the last is the length of the text. */
function writeArchive(): void {
  const root: { files: Record<string, object> } = { files: {} }
  for (const [path, content] of Object.entries(programs)) {
    const names = path.split('/')
    const last = names.pop() ?? ''
    const folder = names.reduce((at, name) => {
      at.files[name] ??= { files: {} }
      return at.files[name] as typeof root
    }, root)
    const hash = createHash('sha256').update(content).digest('hex')
    folder.files[last] = { unpacked: true, integrity: { hash } }
    write(path, content)
  }
  root.files['main.js'] = { offset: '0', integrity: { hash: 'of a file in the archive' } }
  const text = Buffer.from(JSON.stringify(root))
  const start = Buffer.alloc(16)
  for (const [index, value] of [4, text.length + 8, text.length + 4, text.length].entries())
    start.writeUInt32LE(value, index * 4)
  writeFileSync(archive, Buffer.concat([start, text, Buffer.from('main()')]))
}

beforeEach(() => {
  archive = join(mkdtempSync(join(tmpdir(), 'keydesk-programs-')), 'app.asar')
  writeArchive()
})

afterEach(() => rmSync(dirname(archive), { recursive: true }))

test('finds nothing to report in an app as it was installed, whatever a file manager adds', async () => {
  write('out/.DS_Store', 'places of icons')
  write('out/desktop.ini', '[.ShellClassInfo]')
  expect(await changedPrograms(archive)).toEqual([])
})

test.each(Object.keys(programs))('reports %s when it was changed or removed', async (name) => {
  write(name, 'something else')
  expect(await changedPrograms(archive, 'linux')).toEqual([name])
  unlinkSync(join(`${archive}.unpacked`, name))
  expect(await changedPrograms(archive, 'linux')).toEqual([name])
})

test('reports code that the archive doesn’t list, and links', async () => {
  const nearer = 'out/core/node_modules/better-sqlite3/index.js'
  write(nearer, 'steal()')
  symlinkSync(tmpdir(), join(`${archive}.unpacked`, 'out/node_modules'))
  expect(await changedPrograms(archive)).toEqual([nearer, 'out/node_modules'])
})

test('leaves the signature of native code to macOS, but not its presence', async () => {
  const native = 'node_modules/better-sqlite3/prebuilds/linux-x64.node'
  write(native, 'native code with a signature')
  expect(await changedPrograms(archive, 'darwin')).toEqual([])
  expect(await changedPrograms(archive, 'win32')).toEqual([native])
  unlinkSync(join(`${archive}.unpacked`, native))
  expect(await changedPrograms(archive, 'darwin')).toEqual([native])
})

test('compares nothing in a build that isn’t packaged', async () => {
  expect(await changedPrograms(dirname(archive))).toEqual([])
})
