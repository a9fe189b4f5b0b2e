import { describe, expect, it } from 'vitest'
import { mayOpenOutside } from './new-windows.ts'
import { appOrigin, isFromApp } from './sender.ts'

describe('what may be opened outside the window', () => {
  it.each(['https://store.example/redeem', 'https://a.example:8443/x?y=1'])(
    '%s is handed to the browser',
    (address) => expect(mayOpenOutside(address)).toBe(true),
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
  ])('%s is not', (address) => expect(mayOpenOutside(address)).toBe(false))
})

describe('who may ask for a line to the core', () => {
  const frame = { origin: appOrigin }
  const contents = { mainFrame: frame }
  const from = (senderFrame: unknown, sender: unknown = contents): boolean =>
    isFromApp({ senderFrame, sender } as never, contents as never)

  it('the app’s main frame', () => expect(from(frame)).toBe(true))
  it('no frame inside it', () => expect(from({ origin: appOrigin })).toBe(false))
  it('no main frame that went elsewhere', () => {
    const elsewhere = { origin: 'https://evil.example' }
    expect(
      isFromApp(
        { senderFrame: elsewhere, sender: { mainFrame: elsewhere } } as never,
        { mainFrame: elsewhere } as never,
      ),
    ).toBe(false)
  })
  it('no other window', () => expect(from(frame, { mainFrame: frame })).toBe(false))
  it('no frame that is gone', () => expect(from(null)).toBe(false))
})
