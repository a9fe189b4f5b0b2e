/**
 * Goes one page back, never out of Keydesk: without an earlier page of it, nothing happens. The
 * browser's own history also contains what the tab showed before.
 *
 * @param otherwise what to do without an earlier page
 */
export function goBack(otherwise?: () => void): void {
  if (window.navigation.canGoBack) history.back()
  else otherwise?.()
}

/** Goes one page forward, after {@link goBack}. */
export function goForward(): void {
  if (window.navigation.canGoForward) history.forward()
}
