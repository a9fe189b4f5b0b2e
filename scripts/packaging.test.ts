import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDistOptions } from './lib/packaging/options.mjs'
import { picturesOf, prepareKeyring } from './lib/packaging/prepared.mjs'
import { root } from './lib/paths.mjs'

describe('the options of npm run dist', () => {
  test('make installers for this system by default, or only package the apps', () => {
    const usual = { dir: false, twin: false, arch: undefined, help: false }
    expect(readDistOptions([])).toEqual(usual)
    expect(readDistOptions(['--dir', '--twin', '--arch', 'arm64'])).toEqual({
      ...usual,
      dir: true,
      twin: true,
      arch: 'arm64',
    })
  })

  test('allow no installer with the inspector on, and no unknown architecture', () => {
    expect(() => readDistOptions(['--twin'])).toThrow('--twin needs --dir')
    expect(() => readDistOptions(['--arch', 'ia32'])).toThrow('x64 or arm64, not ia32')
    expect(() => readDistOptions(['--sign'])).toThrow('npm run dist')
  })
})

test('packages no library of another system that differs from the lock file', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  const { version = '' } = packages['node_modules/@napi-rs/keyring-win32-arm64-msvc'] ?? {}
  const archive = join(root, `.cache/dist/archives/napi-rs-keyring-win32-arm64-msvc-${version}.tgz`)
  mkdirSync(dirname(archive), { recursive: true })
  writeFileSync(archive, 'another archive')
  expect(() => prepareKeyring('win32-arm64')).toThrow("doesn't match the lock file")
  expect(existsSync(archive)).toBe(false)
  expect(() => prepareKeyring('sunos-x64')).toThrow('no keychain library for sunos-x64')
})

test('reads every picture of the icon', () => {
  const pictures = picturesOf(readFileSync(join(root, 'resources/icon.ico')))
  expect(pictures.map(({ size }) => size)).toEqual([16, 24, 32, 48, 64, 128, 256])
  for (const { size, png } of pictures) {
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBe(size)
  }
})
