import type { WebContents } from 'electron'

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

/** Never opens a second window; an https link opens in the system's browser. */
export function denyNewWindows(
  contents: WebContents,
  openExternal: (url: string) => Promise<void>,
): void {
  contents.setWindowOpenHandler(({ url }) => {
    if (canOpenOutside(url)) void openExternal(url)
    return { action: 'deny' }
  })
}
