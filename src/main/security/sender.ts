import type { IpcMainEvent, WebContents } from 'electron'

export const appOrigin = 'app://keydesk'

/**
 * Whether a message comes from the app's own main frame, and not from another frame, window or
 * origin.
 */
export function isFromApp(
  event: Pick<IpcMainEvent, 'senderFrame' | 'sender'>,
  contents: WebContents,
): boolean {
  const frame = event.senderFrame
  return (
    frame !== null &&
    event.sender === contents &&
    frame === contents.mainFrame &&
    frame.origin === appOrigin
  )
}
