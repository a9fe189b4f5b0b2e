import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { cleanEnvironment } from './processes.ts'

const needed = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool']

/** An unlocked Secret Service in a separate session, as on a person's desktop. */
export class SecretService {
  readonly #session: ChildProcess
  readonly #home: string
  /** The address for programs: `DBUS_SESSION_BUS_ADDRESS`. */
  readonly address: string

  private constructor(session: ChildProcess, home: string, address: string) {
    this.#session = session
    this.#home = home
    this.address = address
  }

  /** Starts one with its files in `home`; null on a machine without the required programs. */
  static async start(home: string): Promise<SecretService | null> {
    if (needed.some((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0))
      return null
    const script =
      'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null ' +
      '2>&1; echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat'
    const session = spawn('dbus-run-session', ['--', 'bash', '-c', script], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: cleanEnvironment(home),
    })
    const lines = createInterface({ input: session.stdout })
    const address = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      session.once('exit', () =>
        reject(new Error('The session ended before its keychain was ready')),
      )
    })
    return new SecretService(session, home, address)
  }

  /** The names of Keydesk's entries, sorted. */
  entries(): string[] {
    const { stdout, stderr } = spawnSync('secret-tool', ['search', '--all', 'service', 'Keydesk'], {
      encoding: 'utf8',
      env: cleanEnvironment(this.#home, { DBUS_SESSION_BUS_ADDRESS: this.address }),
    })
    return [...`${stdout}\n${stderr}`.matchAll(/^attribute\.username = (.+)$/gm)]
      .map(([, name]) => name ?? '')
      .toSorted()
  }

  async end(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#session.once('exit', () => resolve())
    })
    this.#session.stdin?.end()
    const byForce = setTimeout(() => this.#session.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(byForce)
  }
}
