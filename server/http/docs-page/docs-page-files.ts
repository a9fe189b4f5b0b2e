/**
 * Our own script and style of the page at `/docs`. Colors differ from the renderer's only where
 * those have too little contrast.
 */

/**
 * Requests go to the address at which the page was opened, whichever of the service's names that
 * is. Typed-in keys aren't stored.
 */
export const docsScript = `'use strict'
const settings = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  operationTitleSource: 'summary',
}
const reference = (title, slug, root) => ({
  ...settings,
  title,
  slug,
  url: root + '/openapi.json',
  servers: [{ url: location.origin + root, description: 'This service' }],
})
Scalar.createApiReference('#reference', [
  reference('Partner and seller API', 'api', '/v1'),
  reference('Dashboard of the sandbox', 'dashboard', '/dashboard'),
])

// The renderer gives its copy buttons no name, and scroll areas no keyboard access.
const unnamed = 'button[class*="copy-button"]:not([aria-label])'
const unreachable = 'code.custom-scroll:not([tabindex]), ul.endpoints:not([tabindex])'
new MutationObserver(() => {
  for (const button of document.querySelectorAll(unnamed)) button.setAttribute('aria-label', 'Copy')
  for (const box of document.querySelectorAll(unreachable)) box.tabIndex = 0
}).observe(document.getElementById('reference'), { childList: true, subtree: true })
`

export const docsStyle = `:root {
  --scalar-font: 'Inter', system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --scalar-font-code: ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace;
}
body {
  margin: 0;
  font-family: system-ui, 'Segoe UI', Roboto, Arial, sans-serif;
  background: Canvas;
  color: CanvasText;
}
body.light-mode {
  --scalar-color-2: #5c5c5c; --scalar-color-3: #6b6b6b; --scalar-color-green: #00703f;
  --scalar-color-blue: #00609b; --scalar-color-orange: #a84800; --scalar-color-red: #c01f1f;
  --scalar-color-yellow: #7a5b00;
}
body.dark-mode { --scalar-color-3: #a0a0a0; --scalar-color-red: #ff8078; }
section:focus, section:focus-visible { outline: none; }
.waiting { max-width: 40rem; margin: 20vh auto; text-align: center; }
#reference:not(:empty) + .waiting { display: none; }
.markdown td code, .markdown th { white-space: nowrap; }
`
