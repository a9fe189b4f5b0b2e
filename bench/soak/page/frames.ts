import type { Browser, CDPSession, Page } from '@playwright/test'

/** What a browser needs so that {@link openPage} can decide when its page is laid out. */
export const frameControl = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
]

/** The wait after a frame, in milliseconds. With longer ones, the page completes fewer changes. */
const FRAME_WAIT_MS = 16

/** A part of Chromium's protocol that Playwright has no types for. */
type Untyped = { send(method: string, parameters?: object): Promise<unknown> }

/**
 * Opens a page that runs its animation frames and its layout, but draws nothing. Drawing takes
 * almost two thirds of the processor time of a page that changes with each key, and no rule under
 * test depends on it. Only the headless shell can do that; any other browser draws as usual. Open one
 * page per browser: the shell ends when the frames of two pages overlap.
 */
export async function openPage(
  browser: Browser,
  viewport: { width: number; height: number },
): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport })
  const first = await context.newPage()
  const page = await openUndrawn(browser, first, viewport)
  if (page === null) return { page: first, close: () => context.close() }
  await first.close()
  const session = await context.newCDPSession(page)
  const frames = runFrames(session)
  return {
    page,
    async close() {
      frames.stop()
      await context.close()
      await frames.ended
    },
  }
}

/** A second page in the context of the first one; null if the browser doesn't support it. */
async function openUndrawn(
  browser: Browser,
  first: Page,
  viewport: { width: number; height: number },
): Promise<Page | null> {
  const session = await first.context().newCDPSession(first)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  const opened = first.context().waitForEvent('page')
  const root = (await browser.newBrowserCDPSession()) as unknown as Untyped
  try {
    await root.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: targetInfo.browserContextId,
      enableBeginFrameControl: true,
      ...viewport,
    })
  } catch {
    opened.catch(() => {})
    return null
  }
  return opened
}

/** Runs one frame after the other until it is stopped or the page is closed. */
function runFrames(session: CDPSession): { stop: () => void; ended: Promise<void> } {
  let isStopped = false
  const run = async (): Promise<void> => {
    while (!isStopped) {
      try {
        await (session as unknown as Untyped).send('HeadlessExperimental.beginFrame', {
          noDisplayUpdates: true,
        })
      } catch (error) {
        // The page is being closed or loaded again, or the last frame is still being processed.
        if (isStopped || String(error).includes('closed')) return
      }
      await new Promise((resolve) => setTimeout(resolve, FRAME_WAIT_MS))
    }
  }
  return {
    stop() {
      isStopped = true
    },
    ended: run(),
  }
}
