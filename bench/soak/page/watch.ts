/** What a person could see and point at when an event reached the page. */
export type View = {
  /** The event, such as `keydown u` or `click Pause`. */
  event: string
  /** The address of the page that is drawn. */
  hash: string
  /** The text of the open dialog; null without one. */
  dialog: string | null
  /** The text of the side panel, or of a page about one record; null without one. */
  panel: string | null
  /** The current row of the list, if it is in view. */
  current: string | null
  /** The row with the mouse or the focused field; null if the event happened outside of rows. */
  pointed: string | null
  /** The text of the panel or row whose field has the focus; null if no field of one has it. */
  edited: string | null
  /** Rows with a check mark. */
  checked: string[]
  /** The text of the notifications. */
  toasts: string
}

/** An event that undoes or redoes, by key or button. {@link watchCalls} repeats it in the page. */
export const isUndo = /^(?:keydown Ctrl\+(?:Shift\+)?z|click Undo)/i

/** A call that the page sent to the core. */
export type Sent = {
  path: string
  input: unknown
  /** What was visible at the event that sent it; null if it was sent later, without an event. */
  view: View | null
  /** What was visible at the last events before it, the newest last. */
  before: View[]
  /** Milliseconds since Undo or Redo was last pressed; null if never. */
  sinceUndoMs: number | null
}

declare global {
  interface Window {
    keydeskSent: Sent[]
  }
}

/**
 * Runs in the page before its own scripts: records every call to one of the paths with the view at
 * the event that caused it. A call belongs to an event if it is sent in the same task, before
 * anything else happens.
 */
export function watchCalls(paths: readonly string[]): void {
  const inView = (element: Element | null): boolean => {
    const box = element?.getBoundingClientRect()
    return box !== undefined && box.bottom > 0 && box.top < innerHeight && box.height > 0
  }
  const recordOf = (element: Element | null | undefined): string | null => {
    const row = element?.closest('[data-record], [data-key]')
    const key = row?.getAttribute('data-record') ?? row?.getAttribute('data-key') ?? null
    // Lists of several accounts put the account before the record.
    return key?.split('/').at(-1) ?? null
  }
  // A click can arrive before the page has heard of a new address, and then hits the page before.
  let drawn = location.hash
  window.addEventListener('hashchange', () => {
    drawn = location.hash
  })
  const view = (event: Event): View => {
    const target = event.target instanceof Element ? event.target : null
    const detail =
      event instanceof KeyboardEvent
        ? `${event.ctrlKey ? 'Ctrl+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key}`
        : (target?.closest('button, a, [role]')?.textContent ?? '').slice(0, 40)
    const dialogs = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')]
    const isAboutOne = /^#\/(?:disputes|orders\/)/.test(drawn)
    const panel = document.querySelector(isAboutOne ? 'main' : '[data-side-panel]')
    const current = document.querySelector('[role="row"][data-current], [data-key][aria-current]')
    const field = document.activeElement?.matches('input, textarea')
      ? document.activeElement
      : undefined
    const place = field?.closest('[data-side-panel], [role="row"]')
    return {
      event: `${event.type} ${detail}`,
      hash: drawn,
      dialog: dialogs.at(-1)?.textContent ?? null,
      panel: panel?.textContent ?? null,
      current: inView(current) ? recordOf(current) : null,
      pointed: recordOf(event instanceof KeyboardEvent ? field : target),
      edited: place == null ? null : `${recordOf(field)} ${place.textContent}`,
      checked: [...document.querySelectorAll('[role="row"][aria-selected="true"]')].flatMap(
        (row) => recordOf(row) ?? [],
      ),
      toasts: document.querySelector('.mantine-Notifications-root')?.textContent ?? '',
    }
  }
  window.keydeskSent = []
  let now: View | null = null
  let before: View[] = []
  /** More events than a fast person causes while the core reads the checked rows. */
  const remembered = 100
  const undo = /^(?:keydown Ctrl\+(?:Shift\+)?z|click Undo)/i
  let undoAt: number | null = null
  const channel = new MessageChannel()
  channel.port1.addEventListener('message', () => {
    now = null
  })
  channel.port1.start()
  for (const type of ['keydown', 'pointerdown', 'click'])
    window.addEventListener(
      type,
      (event) => {
        now = view(event)
        before = [...before.slice(1 - remembered), now]
        if (undo.test(now.event)) undoAt = event.timeStamp
        channel.port2.postMessage(null)
      },
      { capture: true },
    )
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own socket.
  const send = WebSocket.prototype.send
  window.WebSocket = class extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      // A call that follows a response belongs to no event. This listener runs before the page's.
      this.addEventListener('message', () => {
        now = null
      })
    }
  }
  WebSocket.prototype.send = function (data) {
    if (typeof data === 'string') {
      const message = JSON.parse(data) as { t?: number; p?: { u?: string; b?: { json?: unknown } } }
      const path = message.p?.u?.replace(/^.*?:\/\/[^/]*/, '').replace(/^\//, '')
      if (path !== undefined && paths.includes(path))
        window.keydeskSent.push({
          path,
          input: message.p?.b?.json,
          view: now,
          before,
          sinceUndoMs: undoAt === null ? null : performance.now() - undoAt,
        })
    }
    send.call(this, data)
  }
}
