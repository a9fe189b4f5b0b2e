/**
 * The z-index of what lies over a page. A list that a person opened lies over toasts, which appear
 * without being asked for.
 */
export const layers = { toasts: 400, popover: 450 } as const
