import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'

/**
 * A folder with the files of Electron that packaging needs, and without Electron: the executable
 * has a version resource and fuses, and only prints its name. It makes the app's contents and
 * settings testable where Electron can't be downloaded.
 */

/** Before the fuses in Electron's executable; then their version, their number, their states. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** As Electron 45 delivers them, in the order of `FuseV1Options`. */
const delivered = '101100011'

const wire = () =>
  Buffer.concat([
    Buffer.from(sentinel),
    Buffer.from([1, delivered.length]),
    Buffer.from(delivered),
    Buffer.from('\n'),
  ])

/** An executable of Windows without code: resources and the fuses. */
function windowsExecutable() {
  const executable = NtExecutable.createEmpty(false, false)
  executable.setExtraData(wire())
  const resources = NtExecutableResource.from(executable)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  return Buffer.from(executable.generate())
}

const linuxExecutable = () =>
  Buffer.concat([
    Buffer.from('#!/bin/sh\necho "This is a stand-in for Electron." >&2\nexit 1\n# '),
    wire(),
  ])

/**
 * Writes a stand-in.
 *
 * @param {string} folder is replaced
 * @param {{ platform: string, version: string }} about Electron's name of the platform, its version
 */
export function writeStandIn(folder, { platform, version }) {
  rmSync(folder, { recursive: true, force: true })
  const isWindows = platform === 'win32'
  /** @type {Record<string, string | Buffer>} */
  const files = {
    [isWindows ? 'electron.exe' : 'electron']: isWindows ? windowsExecutable() : linuxExecutable(),
    version,
    LICENSE: 'A stand-in for Electron’s license.\n',
    'LICENSES.chromium.html': '<p>A stand-in for Chromium’s licenses.</p>\n',
    'locales/de.pak': '',
    'locales/en-US.pak': '',
    'resources.pak': '',
    'resources/default_app.asar': '',
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content, { mode: name === 'electron' ? 0o755 : 0o644 })
  }
}
