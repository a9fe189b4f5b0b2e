import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  globSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { separateBuilds } from '../../../vite.shared.ts'
import { buildSeparately } from '../build-separately.mjs'
import { run } from '../child.mjs'
import { builtFolder, modulesFolder, root } from '../paths.mjs'
import { PlainFailure } from '../plain-failure.mjs'

/**
 * @typedef {{ folder: string, version: string, architecture: 'amd64' | 'arm64', date: string }}
 *   Tree `folder`: where the package's files are placed; `date`: of the release, YYYY-MM-DD
 */

/** Where the package installs the program: a folder per build, and a link to the current one. */
const program = 'usr/lib/keydesk'
const linuxFiles = join(root, 'resources', 'linux')
const nodePackage = join(modulesFolder, `node-linux-${process.arch}`)

/** Files that are programs. */
const executable = /(?:\/node|usr\/bin\/keydesk|DEBIAN\/(?:pre|post)(?:inst|rm))$/

/** Files of the native packages that the product loads at run time. */
const nativeFiles = [
  'better-sqlite3/{package.json,LICENSE}',
  'better-sqlite3/lib/**/*.js',
  `better-sqlite3/prebuilds/linux-${process.arch}.node`,
  'keytar/{package.json,LICENSE,index.js}',
  `@napi-rs/keyring-linux-${process.arch}-gnu/{package.json,*.node}`,
]

/** @param {string} path @param {string | Buffer} content @param {number} [mode] */
function write(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
}

const compressed = (/** @type {string} */ text) => gzipSync(text, { level: 9 })
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

/** @param {string} into @param {string[]} patterns @param {string} from */
function copyMatching(into, patterns, from) {
  for (const pattern of patterns) {
    const found = globSync(pattern, { cwd: from })
    if (found.length === 0) throw new PlainFailure(`${pattern} is missing. Run \`npm ci\` first.`)
    for (const path of found) cpSync(join(from, path), join(into, path))
  }
}

/** The pinned Node without its debugging symbols, which are a tenth of the package. */
async function writeNode(/** @type {string} */ into) {
  const status = await run('strip', ['-o', into, join(nodePackage, 'bin', 'node')])
  if (status === 127)
    throw new PlainFailure('strip is missing. Install it with `apt install binutils`.')
  if (status !== 0) throw new PlainFailure('Node can’t be packed. See the reason above.')
}

/** The program itself: Node, the browser host, workers, service and screen. */
async function writeProgram(/** @type {string} */ into, /** @type {string} */ version) {
  const [host, service] = ['browser-host', 'server'].map((name) =>
    separateBuilds.find((each) => each.name === name),
  )
  if (host === undefined || service === undefined)
    throw new Error('The host or the service has no build of its own.')
  const { main } = service.input
  if (main === undefined) throw new Error('The service has no program.')
  await buildSeparately(host, join(into, 'browser-host'))
  await buildSeparately({ ...service, input: { main } }, join(into, 'server'))
  for (const name of ['workers', 'renderer'])
    cpSync(join(builtFolder, name), join(into, name), { recursive: true })
  copyMatching(join(into, 'node_modules'), nativeFiles, modulesFolder)
  await writeNode(join(into, 'node'))
  write(join(into, 'package.json'), `${JSON.stringify({ type: 'module', version })}\n`)
}

/** Digest of a folder's files and their names, which distinguishes two builds of a version. */
function digestOf(/** @type {string} */ folder) {
  const hash = createHash('sha256')
  for (const path of globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    hash.update(path.slice(folder.length)).update('\0').update(readFileSync(path))
  return hash.digest('hex').slice(0, 8)
}

/** Files for the desktop, the manual and the package manager. */
function writeSystemFiles(/** @type {Tree} */ { folder, version, date }) {
  const share = join(folder, 'usr', 'share')
  const text = (/** @type {string} */ name) =>
    readFileSync(join(linuxFiles, name), 'utf8')
      .replaceAll('@VERSION@', version)
      .replaceAll('@DATE@', date)
  write(join(folder, 'usr/bin/keydesk'), text('keydesk'), 0o755)
  write(join(folder, 'usr/lib/systemd/user/keydesk.service'), text('keydesk.service'))
  write(join(share, 'applications/keydesk.desktop'), text('keydesk.desktop'))
  write(join(share, 'metainfo/keydesk.metainfo.xml'), text('keydesk.metainfo.xml'))
  write(join(share, 'man/man1/keydesk.1.gz'), compressed(text('keydesk.1')))
  const icons = join(share, 'icons/hicolor')
  write(join(icons, 'scalable/apps/keydesk.svg'), read('resources/icon.svg'))
  write(join(icons, '512x512/apps/keydesk.png'), readFileSync(join(root, 'resources', 'icon.png')))
  const documents = join(share, 'doc/keydesk')
  write(join(documents, 'copyright'), text('copyright'))
  write(join(documents, 'changelog.gz'), compressed(read('CHANGELOG.md')))
  write(join(documents, 'LICENSE.gz'), compressed(read('LICENSE')))
  write(join(documents, 'THIRD-PARTY-NOTICES.txt.gz'), compressed(read('THIRD-PARTY-NOTICES.txt')))
  write(
    join(documents, 'NODE-LICENSE.txt.gz'),
    compressed(readFileSync(join(nodePackage, 'LICENSE'), 'utf8')),
  )
}

/**
 * Folders and programs 0755 and everything else 0644, whatever the umask and the sources' modes, and
 * all of the same date.
 *
 * @param {string} folder
 * @param {number} date in seconds since 1970
 */
export function fixFacts(folder, date) {
  const fix = (/** @type {string} */ path, /** @type {boolean} */ isExecutable) => {
    chmodSync(path, isExecutable ? 0o755 : 0o644)
    utimesSync(path, date, date)
  }
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) lutimesSync(path, date, date)
    else fix(path, entry.isDirectory() || executable.test(path))
  }
  fix(folder, true)
}

/**
 * Writes every file of the Debian package except its control files.
 *
 * @param {Tree} tree
 */
export async function writeTree(tree) {
  const { folder, version } = tree
  rmSync(folder, { recursive: true, force: true })
  const unnamed = join(folder, program, 'program')
  await writeProgram(unnamed, version)
  const named = `${version}-${digestOf(unnamed)}`
  renameSync(unnamed, join(folder, program, named))
  symlinkSync(named, join(folder, program, 'current'))
  writeSystemFiles(tree)
}
