import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'electron'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Host } from '../../platform/host.ts'
import { checkCore } from './core-check.ts'
import { isSound } from './report.ts'
import type { CoreChecks } from './report.ts'
import { requestedSelfCheck } from './self-check.ts'

const works = { ok: true, detail: '', ms: 1 }
const broken = { ok: false, detail: 'The sandbox exited.', ms: 1 }
const all: CoreChecks = { window: works, worker: works, keychain: works, sandbox: works }

describe('the self-check’s report', () => {
  let app: { exits: number[]; userData: string; given: App }
  let printed = ''

  beforeEach(() => {
    vi.stubGlobal('__KEYDESK_VERSION__', '1.2.3')
    const exits: number[] = []
    app = {
      exits,
      userData: '',
      given: {
        commandLine: { hasSwitch: (name: string) => name === 'self-check' },
        isPackaged: true,
        setPath: (_name: string, path: string) => {
          app.userData = path
        },
        exit: (status: number) => void exits.push(status),
      } as unknown as App,
    }
    const write = (text: string, done: () => void): boolean => {
      printed = text
      done()
      return true
    }
    vi.spyOn(process.stdout, 'write').mockImplementation(write as typeof process.stdout.write)
  })

  afterEach(() => {
    vi.unstubAllGlobals()
    rmSync(app.userData, { recursive: true, force: true })
  })

  test('is one line, with status 0 when every part works but a keychain, and leaves no file', () => {
    const check = requestedSelfCheck(app.given)
    expect(existsSync(app.userData)).toBe(true)
    check?.finish({ ...all, keychain: broken })
    expect(JSON.parse(printed)).toMatchObject({
      ok: true,
      version: '1.2.3',
      packaged: true,
      failure: null,
      checks: { keychain: broken },
    })
    expect(printed.split('\n')).toHaveLength(2)
    expect(app.exits).toEqual([0])
    expect(existsSync(app.userData)).toBe(false)
  })

  test('has status 1 when a part doesn’t work, or the app can’t start', () => {
    requestedSelfCheck(app.given)?.finish({ ...all, sandbox: broken })
    expect(JSON.parse(printed)).toMatchObject({ ok: false, checks: { sandbox: broken } })
    requestedSelfCheck(app.given)?.fail('The data folder can’t be written.')
    expect(JSON.parse(printed)).toMatchObject({
      ok: false,
      failure: 'The data folder can’t be written.',
      checks: null,
    })
    expect(app.exits).toEqual([1, 1])
  })

  test('ends with status 1 when a part doesn’t respond', () => {
    vi.useFakeTimers()
    requestedSelfCheck(app.given)
    vi.advanceTimersByTime(90_000)
    vi.useRealTimers()
    expect(JSON.parse(printed)).toMatchObject({ ok: false, failure: 'It took too long.' })
    expect(app.exits).toEqual([1])
  })

  test('isn’t printed unless it is requested', () => {
    const commandLine = { hasSwitch: () => false }
    expect(requestedSelfCheck({ ...app.given, commandLine } as unknown as App)).toBeNull()
    expect(app.userData).toBe('')
  })
})

describe('the check of the core’s parts', () => {
  test('reports why each part doesn’t work, and checks the others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keydesk-core-check-'))
    const worker = join(folder, 'worker.mjs')
    writeFileSync(worker, 'throw new Error("The native library is missing.")')
    const stopped: string[] = []
    const host = {
      dataDir: folder,
      keychain: {
        probe: async () => ({ available: false, name: 'Keychain', reason: 'It is locked.' }),
      },
      backends: {
        start: async () => ({
          ready: { baseUrl: 'http://127.0.0.1:1/v1' },
          stop: async () => void stopped.push('sandbox'),
        }),
      },
      workerPath: () => worker,
    } as unknown as Host
    const checks = await checkCore(host, Promise.resolve())
    rmSync(folder, { recursive: true })
    expect(checks).toMatchObject({
      window: { ok: true },
      worker: { ok: false, detail: 'The native library is missing.' },
      keychain: { ok: false, detail: 'It is locked.' },
      sandbox: { ok: false, detail: 'fetch failed' },
    })
    expect(stopped).toEqual(['sandbox'])
    expect(isSound(checks)).toBe(false)
    expect(isSound(all)).toBe(true)
  })

  test('reports a part that doesn’t respond, and doesn’t wait for it any longer', async () => {
    vi.useFakeTimers()
    const never = new Promise<never>(() => {})
    const host = {
      keychain: { probe: async () => ({ available: true, name: 'Keychain', reason: null }) },
      backends: { start: () => never },
      workerPath: () => {
        throw new Error('There is no such worker.')
      },
    } as unknown as Host
    const checks = checkCore(host, never)
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    const late = { ok: false, detail: 'It didn’t respond within 60 s.' }
    expect(await checks).toMatchObject({
      window: late,
      worker: { ok: false, detail: 'There is no such worker.' },
      keychain: { ok: true, detail: 'Keychain' },
      sandbox: late,
    })
  })
})
