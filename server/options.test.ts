import { describe, expect, it } from 'vitest'
import { publishedKeysFolder, userDataFolder } from './api/user-folders.ts'
import { userCacheFolder } from './data-folder.ts'
import { readOptions, UsageError } from './options.ts'

const read = (...args: string[]) => readOptions(args, '/home/ada/.local/share/keydesk-sandbox')

describe('the command line', () => {
  it('has the documented defaults', () => {
    expect(read()).toEqual({
      port: 4600,
      host: '127.0.0.1',
      allowRemote: false,
      dataFolder: '/home/ada/.local/share/keydesk-sandbox',
      world: { seed: 'demo', products: 2000 },
      smtp: null,
      limits: true,
      exitWithParent: false,
      readyFile: null,
      repeatable: null,
      webhooks: true,
    })
  })

  it('accepts every option', () => {
    expect(
      read(
        '--port',
        '0',
        '--host=::1',
        '--data',
        '/d',
        '--seed',
        'empty',
        '--products=100000',
        '--smtp',
        'smtp://localhost',
        '--no-limits',
        '--no-webhooks',
        '--exit-with-parent',
        '--ready-file',
        '/d/ready.json',
      ),
    ).toEqual({
      port: 0,
      host: '::1',
      allowRemote: false,
      dataFolder: '/d',
      world: { seed: 'empty', products: 100_000 },
      smtp: 'smtp://localhost',
      limits: false,
      exitWithParent: true,
      readyFile: '/d/ready.json',
      repeatable: null,
      webhooks: false,
    })
    expect(read('--memory')?.dataFolder).toBeNull()
    expect(read('--help')).toBeNull()
  })

  it('makes a sandbox repeatable only in memory, without rates, from a date and time', () => {
    expect(read('--memory', '--repeatable', 'one')).toMatchObject({
      repeatable: { seed: 'one', at: Date.UTC(2026, 0, 1) },
      limits: false,
    })
    expect(
      read('--memory', '--repeatable', 'one', '--at', '2026-05-01T10:00:00Z')?.repeatable?.at,
    ).toBe(Date.UTC(2026, 4, 1, 10))
    expect(() => read('--repeatable', 'one')).toThrow('--repeatable needs --memory.')
    expect(() => read('--memory', '--at', '2026-05-01')).toThrow('--at needs --repeatable.')
    for (const at of ['', 'noon', '7', '2026-13-01'])
      expect(() => read('--memory', '--repeatable', 'one', `--at=${at}`)).toThrow(
        `--at must be a date and time, not "${at}".`,
      )
  })

  it('rejects invalid mail server addresses with a clear message', () => {
    for (const url of ['localhost:25', 'http://mail.example', ''])
      expect(() => read(`--smtp=${url}`)).toThrow(/--smtp must be smtp:/)
  })

  it('requires --allow-remote for addresses reachable from other computers', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.evil.example']) {
      expect(() => read('--host', host)).toThrow(UsageError)
      expect(read('--host', host, '--allow-remote')?.host).toBe(host)
    }
    for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '::1'])
      expect(read('--host', host)?.host).toBe(host)
  })
})

describe('folders by platform', () => {
  it.each([
    ['linux', {}, '/home/ada/.local/share/keydesk-sandbox', '/home/ada/.cache/keydesk-sandbox'],
    [
      'linux',
      { XDG_DATA_HOME: '/data', XDG_CACHE_HOME: '/cache' },
      '/data/keydesk-sandbox',
      '/cache/keydesk-sandbox',
    ],
    [
      'linux',
      { XDG_DATA_HOME: 'relative', XDG_CACHE_HOME: '' },
      '/home/ada/.local/share/keydesk-sandbox',
      '/home/ada/.cache/keydesk-sandbox',
    ],
    [
      'darwin',
      {},
      '/home/ada/Library/Application Support/keydesk-sandbox',
      '/home/ada/Library/Caches/keydesk-sandbox',
    ],
  ])('%s %j', (platform, env, data, cache) => {
    expect([
      userDataFolder({ platform, home: '/home/ada', env }),
      userCacheFolder({ platform, home: '/home/ada', env }),
    ]).toEqual([data, cache])
  })
  it('publishes keys in the data folder, or in the folder that the environment names', () => {
    const machine = { platform: 'linux', home: '/home/ada', env: {} }
    expect(publishedKeysFolder(machine)).toBe('/home/ada/.local/share/keydesk-sandbox/keys')
    expect(publishedKeysFolder({ ...machine, env: { KEYDESK_SANDBOX_KEYS: '/keys' } })).toBe(
      '/keys',
    )
  })
})
