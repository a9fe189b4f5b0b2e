import type { App } from 'electron'
import { describe, expect, it } from 'vitest'
import { canOpenOutside } from './new-windows.ts'
import { denyRemoteDebugging } from './remote-debugging.ts'
import { appOrigin, isFromApp } from './sender.ts'

describe('isOpenedOutside', () => {
  it.each(['https://store.example/redeem', 'https://a.example:8443/x?y=1'])(
    '%s is opened in the browser',
    (address) => expect(canOpenOutside(address)).toBe(true),
  )
  it.each([
    'http://store.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'app://keydesk/',
    'https://localhost/',
    'https://user:pass@store.example/',
    'smb://x.example/',
    '',
    'https:',
  ])('%s isn’t', (address) => expect(canOpenOutside(address)).toBe(false))
})

describe('isFromApp', () => {
  const frame = { origin: appOrigin }
  const contents = { mainFrame: frame }
  const from = (senderFrame: unknown, sender: unknown = contents): boolean =>
    isFromApp({ senderFrame, sender } as never, contents as never)

  it('accepts the app’s main frame', () => expect(from(frame)).toBe(true))
  it('rejects a frame inside it', () => expect(from({ origin: appOrigin })).toBe(false))
  it('rejects a main frame that navigated elsewhere', () => {
    const elsewhere = { origin: 'https://evil.example' }
    expect(
      isFromApp(
        { senderFrame: elsewhere, sender: { mainFrame: elsewhere } } as never,
        { mainFrame: elsewhere } as never,
      ),
    ).toBe(false)
  })
  it('rejects another window', () => expect(from(frame, { mainFrame: frame })).toBe(false))
  it('rejects a frame that no longer exists', () => expect(from(null)).toBe(false))
})

it('leaves remote debugging to a twin and to a build that isn’t packaged', () => {
  const removed = (isPackaged: boolean, inspector?: string): string[] => {
    const names: string[] = []
    const commandLine = { removeSwitch: (name: string) => void names.push(name) }
    denyRemoteDebugging({ isPackaged, commandLine } as unknown as App, inspector)
    return names
  }
  expect(removed(true)).toEqual(['remote-debugging-port', 'remote-debugging-pipe'])
  expect(removed(true, 'ws://127.0.0.1:9229/1')).toEqual([])
  expect(removed(false)).toEqual([])
})
