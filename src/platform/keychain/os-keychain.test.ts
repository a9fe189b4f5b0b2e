import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const has = (command: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const session = 'dbus-run-session'
const needed = [session, 'gnome-keyring-daemon', 'secret-tool']
const missing = process.platform === 'linux' ? needed.filter((command) => !has(command)) : ['Linux']

/**
 * Runs a script with our keychain in a separate session: private folders, and a Secret Service only
 * on request.
 */
function inSession(script: string, before: string): string {
  const home = mkdtempSync(join(tmpdir(), 'keydesk-keyring-'))
  const keychainPath = fileURLToPath(new URL('os-keychain.ts', import.meta.url))
  const source = `import { createOsKeychain } from ${JSON.stringify(keychainPath)}
    const keychain = createOsKeychain('Keydesk test')
    ${script}`
  try {
    return execFileSync(
      session,
      [
        '--',
        'bash',
        '-c',
        `${before} "$NODE" --input-type=module -e "$SOURCE"` +
          (before === '' ? '' : '; secret-tool search --all service "Keydesk test" 2>&1'),
      ],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 100_000,
        env: {
          PATH: process.env['PATH'],
          HOME: home,
          XDG_DATA_HOME: join(home, 'data'),
          XDG_CONFIG_HOME: join(home, 'config'),
          XDG_CACHE_HOME: join(home, 'cache'),
          XDG_RUNTIME_DIR: home,
          NODE: process.execPath,
          SOURCE: source,
        },
      },
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const unlockedKeyring =
  'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1;'

const skipNote = missing.length > 0 ? ` (skipped: needs ${missing.join(', ')})` : ''
test.skipIf(missing.length > 0)(
  `stores a key in a real Secret Service so that secret-tool reads it${skipNote}`,
  { timeout: 120_000 },
  () => {
    const output = inSession(
      `
    console.log(JSON.stringify(await keychain.probe()))
    await keychain.set('account:1', 'svcs_kept')
    await keychain.set('account:2', 'svcs_gone')
    await keychain.delete('account:2')
    await keychain.delete('account:3')
    console.log(await keychain.get('account:1'), await keychain.get('account:2'))
  `,
      unlockedKeyring,
    )
    const [probe = '', read] = output.split('\n')
    expect(JSON.parse(probe)).toEqual({ available: true, name: 'Secret Service', reason: null })
    expect(read).toBe('svcs_kept null')
    expect(output).toMatch(/secret = svcs_kept/)
    expect(output).not.toContain('svcs_gone')
    expect(output).not.toContain('probe:')
  },
)

test.skipIf(missing.length > 0)(
  'without a Secret Service, says that there is no keychain, and never reports a failure as an absent key',
  { timeout: 120_000 },
  () => {
    const output = inSession(
      `
    console.log(JSON.stringify(await keychain.probe()))
    const calls = [
      () => keychain.get('account:1'),
      () => keychain.set('account:1', 'x'),
      () => keychain.delete('account:1'),
    ]
    for (const call of calls) console.log(await call().then(() => 'answered', () => 'refused'))
  `,
      '',
    )
    const [probe = '', ...answers] = output.trim().split('\n')
    expect(JSON.parse(probe)).toMatchObject({
      available: false,
      name: 'Secret Service',
      reason: expect.stringContaining('No Secret Service is responding'),
    })
    expect(answers).toEqual(['refused', 'refused', 'refused'])
  },
)
