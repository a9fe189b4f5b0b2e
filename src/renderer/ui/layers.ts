/**
 * The z-index of layers over a page. An opened list or menu is above toasts, which appear
 * without being asked for.
 */
export const layers = { toasts: 400, popover: 450 } as const
