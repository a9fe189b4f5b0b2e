import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readRendererFiles } from './renderer-files.ts'

vi.mock('node:fs/promises', { spy: true })

/**
 * Lists folders as Electron does inside an archive: an entry doesn't know its folder, and in a
 * recursive list every folder is a file.
 */
async function listAsInArchive(folder: string, options: { recursive?: boolean }) {
  if (options.recursive === true) throw new Error('An archive has no recursive list')
  const { readdir } = await vi.importActual<typeof files>('node:fs/promises')
  return (await readdir(folder, { withFileTypes: true })).map((entry) =>
    Object.assign(entry, { parentPath: undefined }),
  )
}

test('reads the built screen from an archive, whose entries don’t know their folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-renderer-'))
  mkdirSync(join(folder, 'assets', 'fonts'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<html>')
  writeFileSync(join(folder, 'assets', 'page-1a2b.js'), 'start()')
  writeFileSync(join(folder, 'assets', 'page-1a2b.js.map'), '{}')
  writeFileSync(join(folder, 'assets', 'fonts', 'inter.woff2'), 'font')
  vi.mocked(files.readdir).mockImplementation(listAsInArchive as never)
  const read = await readRendererFiles(folder)
  rmSync(folder, { recursive: true })
  expect(
    [...read].map(([path, { bytes, immutable }]) => [path, bytes.toString(), immutable]).toSorted(),
  ).toEqual([
    ['/assets/fonts/inter.woff2', 'font', true],
    ['/assets/page-1a2b.js', 'start()', true],
    ['/index.html', '<html>', false],
  ])
})
