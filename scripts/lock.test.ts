import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>

describe('the lock file', () => {
  test('contains no address, so that every registry can serve it', () => {
    expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual(
      [],
    )
  })

  test('contains the optional packages of every system, which `npm ci` requires', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          packages[`node_modules/${name}`] === undefined &&
          packages[`${path}/node_modules/${name}`] === undefined,
      ),
    )
    expect(missing).toEqual([])
  })

  test('contains a checksum of every package, on every system', () => {
    expect(
      Object.entries(packages)
        .filter(([path, { integrity }]) => path !== '' && integrity?.startsWith('sha512-') !== true)
        .map(([path]) => path),
    ).toEqual([])
  })
})

test('no npm runs the scripts of packages during an installation', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
})

test('pins exact versions in package.json', () => {
  const versions = Object.values({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  expect(versions.filter((version) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual(
    [],
  )
})
