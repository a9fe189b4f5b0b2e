/** The last step that was asked for. A browser moves some time later. */
let last: Promise<unknown> = Promise.resolve()

/** Takes a step when the one before it has been taken. */
function take(step: () => NavigationResult | void): void {
  last = last.then(async () => {
    const { committed, finished } = step() ?? {}
    await Promise.allSettled([committed, finished])
  })
}

/**
 * Goes one page back, never out of Keydesk: without an earlier page of it, nothing happens. The
 * browser's own history also contains what the tab showed before.
 *
 * @param otherwise what to do without an earlier page
 */
export function goBack(otherwise?: () => void): void {
  take(() => (window.navigation.canGoBack ? window.navigation.back() : otherwise?.()))
}

/** Goes one page forward, after {@link goBack}. */
export function goForward(): void {
  take(() => (window.navigation.canGoForward ? window.navigation.forward() : undefined))
}
