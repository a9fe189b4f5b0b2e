import type { Session } from 'electron'

/**
 * Denies every permission a page could request (camera, location, web notifications …), except
 * copying text to the clipboard.
 */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  )
  session.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  )
  session.setDevicePermissionHandler(() => false)
}
