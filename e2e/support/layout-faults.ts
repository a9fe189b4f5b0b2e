import type { Page } from '@playwright/test'

/** Sizes of the console's window: the smallest, a laptop's and a large screen's. */
export const windowSizes = [
  { width: 960, height: 640 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
] as const

/** Text that only a screen reader reads, and parts that hide theirs on purpose. */
const hidden = '.kd-hidden, [data-folded], [class*="skip"], svg, option'

// The functions below run in the page, so they use only each other and the page's globals.

/** Names an element in a fault. */
function nameOf(element: Element): string {
  const words =
    element.getAttribute('aria-label') ?? element.getAttribute('placeholder') ?? element.textContent
  return `${element.tagName.toLowerCase()} “${words.trim().slice(0, 50)}”`
}

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return (
    width > 1 &&
    height > 1 &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  )
}

/** By how many px a container that can't be scrolled cuts a box off; 0 if the box is complete. */
function cutBy(box: DOMRect, parent: Element | null): number {
  const scrolled = { x: false, y: false }
  let cut = 0
  for (let up = parent; up !== null && up !== document.documentElement; up = up.parentElement) {
    const { overflowX, overflowY, position } = getComputedStyle(up)
    const around = up.getBoundingClientRect()
    if (/auto|scroll/.test(overflowX)) scrolled.x = true
    if (/auto|scroll/.test(overflowY)) scrolled.y = true
    if (!scrolled.x && overflowX !== 'visible')
      cut = Math.max(cut, around.left - box.left, box.right - around.right)
    if (!scrolled.y && overflowY !== 'visible')
      cut = Math.max(cut, around.top - box.top, box.bottom - around.bottom)
    if (position === 'fixed') break
  }
  return cut > 1 ? Math.round(cut) : 0
}

/** Whether an element is inside something that scrolls down. */
function isScrolledTo(element: Element): boolean {
  for (let up = element.parentElement; up !== null; up = up.parentElement)
    if (/auto|scroll/.test(getComputedStyle(up).overflowY)) return true
  return false
}

/** The page scrolls, or a dialog, side panel or footer isn't completely in the window. */
function faultsOfWindow(): string[] {
  const { scrollWidth, scrollHeight } = document.documentElement
  const found =
    scrollWidth > innerWidth || scrollHeight > innerHeight
      ? [`the page scrolls: ${scrollWidth} × ${scrollHeight}`]
      : []
  for (const part of document.querySelectorAll('[role="dialog"], aside, main footer')) {
    if (!isShown(part)) continue
    const { left, top, right, bottom } = part.getBoundingClientRect()
    if (
      !isScrolledTo(part) &&
      (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
    )
      found.push(`outside the window: ${nameOf(part)}`)
    if (part.matches('[role="dialog"]') && part.scrollWidth > part.clientWidth + 1)
      found.push(`a dialog scrolls sideways: ${nameOf(part)}`)
  }
  return found
}

/** A placeholder is longer than its field. */
function isPlaceholderCut(field: Element): boolean {
  if (!(field instanceof HTMLInputElement) || field.value !== '' || field.placeholder === '')
    return false
  const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight, textOverflow } =
    getComputedStyle(field)
  if (textOverflow === 'ellipsis') return false
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return false
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`
  const space = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
  return context.measureText(field.placeholder).width > space + 2
}

/** Whether words of a button of one line wrap. */
function doesWrap(button: Element): boolean {
  if (button.getBoundingClientRect().height >= 40) return false
  const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4)))
    if (tops.size > 1) return true
  }
  return false
}

/**
 * Whether a footer or side panel is above the middle or the end of a control. A part that a list
 * has scrolled out of its view is not there.
 */
function isCovered(control: Element, box: DOMRect): boolean {
  const y = box.top + box.height / 2
  for (const x of [box.left + box.width / 2, box.right - 3]) {
    const cover = document.elementFromPoint(x, y)?.closest('main footer, aside') ?? null
    if (cover === null || cover.contains(control)) continue
    let isInView = true
    for (let up = control.parentElement; up !== null; up = up.parentElement) {
      const { left, top, right, bottom } = up.getBoundingClientRect()
      const isOutside = x < left || x > right || y < top || y > bottom
      if (isOutside && getComputedStyle(up).overflow !== 'visible') isInView = false
    }
    if (isInView) return true
  }
  return false
}

/** Controls and headings that are cut off, hold more than fits, or are under another part. */
function faultsOfControls(root: Element, ignored: string): string[] {
  const found: string[] = []
  for (const control of root.querySelectorAll('button, a[href], input, select, textarea, h1, h2')) {
    if (!isShown(control) || control.closest(ignored) !== null) continue
    const box = control.getBoundingClientRect()
    const cut = cutBy(box, control.parentElement)
    if (cut > 0) found.push(`cut off by ${cut} px: ${nameOf(control)}`)
    if (isPlaceholderCut(control)) found.push(`placeholder cut off: ${nameOf(control)}`)
    if (control.matches('button')) {
      if (
        control.scrollWidth > control.clientWidth + 1 &&
        getComputedStyle(control).textOverflow !== 'ellipsis'
      )
        found.push(`text outside its button: ${nameOf(control)}`)
      if (doesWrap(control)) found.push(`words wrap: ${nameOf(control)}`)
    }
    if (isCovered(control, box)) found.push(`under a footer or panel: ${nameOf(control)}`)
  }
  return found
}

/** Tables and other parts that scroll sideways, so that a part of them is out of sight. */
function faultsOfScrolling(root: Element): string[] {
  const found: string[] = []
  for (const part of root.querySelectorAll('*')) {
    if (part.matches('pre, textarea, input, code') || !isShown(part)) continue
    const hidden = part.scrollWidth - part.clientWidth
    if (hidden > 1 && /auto|scroll/.test(getComputedStyle(part).overflowX))
      found.push(`scrolls sideways by ${hidden} px: ${nameOf(part)}`)
  }
  return found
}

/** Texts that are cut off without an ellipsis. */
function faultsOfTexts(root: Element, ignored: string): string[] {
  const found: string[] = []
  for (const element of root.querySelectorAll('*')) {
    if (element.childElementCount > 0 || element.textContent.trim() === '') continue
    if (!isShown(element) || element.closest(ignored) !== null) continue
    const range = document.createRange()
    range.selectNodeContents(element)
    const { right } = range.getBoundingClientRect()
    for (let up: Element | null = element; up !== null; up = up.parentElement) {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(up)
      if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis') break
      if (webkitLineClamp !== 'none') break
      const cut = right - up.getBoundingClientRect().right
      if (overflowX === 'visible' || cut <= 1) continue
      found.push(`text cut off by ${Math.round(cut)} px: ${nameOf(element)}`)
      break
    }
  }
  return found
}

const inPage = [
  nameOf,
  isShown,
  cutBy,
  isScrolledTo,
  faultsOfWindow,
  isPlaceholderCut,
  doesWrap,
  isCovered,
  faultsOfControls,
  faultsOfScrolling,
  faultsOfTexts,
]

/**
 * Every layout fault of the current page and the dialog above it, one per line: a page that scrolls,
 * parts outside the window, controls and texts that are cut off, parts that scroll sideways, words
 * that wrap in a button, placeholders that don't fit, and controls under a footer or panel.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  // Tables choose their columns in the frame after a change of their width.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  const found = (await page.evaluate(`(() => {
    ${inPage.map(String).join('\n')}
    const dialogs = document.querySelectorAll('[role="dialog"][aria-modal="true"]')
    const root = dialogs[dialogs.length - 1] ?? document.body
    const ignored = ${JSON.stringify(hidden)}
    return [
      ...faultsOfWindow(),
      ...faultsOfControls(root, ignored),
      ...faultsOfScrolling(root),
      ...faultsOfTexts(root, ignored),
    ]
  })()`)) as string[]
  return [...new Set(found)]
}
