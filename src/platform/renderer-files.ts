import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

export type RendererFile = {
  bytes: Buffer
  contentType: string
  /** The name contains a hash of the content, so the file never changes. */
  immutable: boolean
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/**
 * Reads the built screen into memory, once. Because only this map is served, no request path ever
 * reaches the file system.
 *
 * @returns files by URL path (`/index.html`, `/assets/…`)
 */
export async function readRendererFiles(
  folder: string,
): Promise<ReadonlyMap<string, RendererFile>> {
  const files = new Map<string, RendererFile>()
  for (const path of await filesBelow(folder)) {
    const contentType = contentTypes[extname(path)]
    if (contentType === undefined) continue
    const urlPath = `/${relative(folder, path).split(sep).join('/')}`
    files.set(urlPath, {
      bytes: await readFile(path),
      contentType,
      immutable: urlPath.startsWith('/assets/'),
    })
  }
  return files
}

/**
 * Lists each folder on its own: in an archive, Electron's recursive list shows folders as files, and
 * an entry doesn't know its folder.
 */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
  return (await Promise.all(found)).flat()
}
