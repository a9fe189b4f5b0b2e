import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react'
import { PageLoading } from './page-loading.tsx'

type Load<Props> = () => Promise<ComponentType<Props>>

/** A page whose code is loaded separately from the window's. */
export interface PageCode<Props> {
  Page: (props: Props) => ReactNode
  /** Loads the code ahead of time. A failure is reported when the page is opened. */
  preload: () => Promise<void>
}

/** The last page that is opened before its code is loaded. */
let opening: Promise<unknown> = Promise.resolve()

/**
 * A page that loads its code when it is first shown. If its code was preloaded, it is mounted in the
 * event that opens it, so that the next key press reaches the page's own shortcuts.
 */
export function pageCode<Props extends object>(load: Load<Props>): PageCode<Props> {
  let loaded: ComponentType<Props> | undefined
  const read: Load<Props> = async () => {
    loaded ??= await load()
    return loaded
  }
  const Lazy: ComponentType<Props> = lazy(async () => {
    const reading = read()
    opening = reading.catch(() => {})
    return { default: await reading }
  })
  return {
    Page(props) {
      // Chosen once: another component for a page that is already shown would reset its state.
      const [shown] = useState(() => ({ component: loaded ?? Lazy }))
      // In a boundary of several pages, the page that is left would stay mounted while this one
      // loads: hidden, with its shortcuts.
      return createElement(
        Suspense,
        { fallback: createElement(PageLoading) },
        createElement(shown.component, props),
      )
    },
    preload: () =>
      read().then(
        () => {},
        () => {},
      ),
  }
}

/** Calls a function when the window has nothing else to do. */
export type WhenIdle = (run: () => void) => void

/** Browsers without idle callbacks wait until the window has had time for other work. */
const nextIdle: WhenIdle = (run) => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => run())
  else setTimeout(run, 200)
}

/**
 * Preloads pages one by one, each only when the window is idle and no opened page loads, so that
 * the page that is shown stays responsive.
 *
 * @param signal Aborted: nothing more is loaded.
 */
export async function preloadWhenIdle(
  pages: readonly Pick<PageCode<never>, 'preload'>[],
  signal: AbortSignal,
  whenIdle: WhenIdle = nextIdle,
): Promise<void> {
  for (const page of pages) {
    await opening
    await new Promise<void>((resolve) => {
      whenIdle(resolve)
    })
    if (signal.aborted) return
    await page.preload()
  }
}
