import type { Session } from 'electron'

/**
 * Refuses every permission a page could ask for (camera, location, notifications of the web …);
 * copying text out is the one thing allowed.
 */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  )
  session.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  )
  session.setDevicePermissionHandler(() => false)
}
