import type { WebContents } from 'electron'
import type { UserActivation } from './user-activation.ts'

/**
 * Whether an address can be opened in the system's browser: https to a named host, without
 * credentials.
 */
export function canOpenOutside(address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return (
    url.protocol === 'https:' &&
    url.hostname.includes('.') &&
    url.username === '' &&
    url.password === ''
  )
}

/**
 * Never opens a second window. A link to https opens in the system's browser if a person's click or
 * key press opened it; a script alone can't send data out in an address.
 */
export function denyNewWindows(
  contents: WebContents,
  activation: Pick<UserActivation, 'use'>,
  openExternal: (url: string) => Promise<void>,
): void {
  contents.setWindowOpenHandler(({ url }) => {
    activation.use(() => {
      if (canOpenOutside(url)) void openExternal(url)
    })
    return { action: 'deny' }
  })
}
