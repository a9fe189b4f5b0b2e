import { join } from 'node:path'
import { folderSize } from '../folder-size.mjs'

/**
 * The sizes of the parts of a packed app in bytes.
 *
 * @param {string} app folder
 * @param {string} resources its folder with our files, relative to the app
 * @returns {{ name: string, bytes: number }[]}
 */
export function sizesOf(app, resources) {
  const unpacked = 'app.asar.unpacked'
  const parts = {
    'main, preload and page (asar)': ['app.asar'],
    core: [join(unpacked, 'out', 'core')],
    workers: [join(unpacked, 'out', 'workers')],
    'backend and API reference': [join(unpacked, 'out', 'server')],
    'native packages': [join(unpacked, 'node_modules')],
    'licenses and bill of materials': ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'],
  }
  const sizes = Object.entries(parts).map(([name, paths]) => ({
    name,
    bytes: paths.reduce((sum, path) => sum + folderSize(join(app, resources, path)), 0),
  }))
  const ours = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  return [...sizes, { name: 'Electron', bytes: folderSize(app) - ours }]
}
